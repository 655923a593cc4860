package io.onceflow.outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.core.internal.Backpressure;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.Shipping;
import io.onceflow.rabbitmq.internal.Heard;
import io.onceflow.test.internal.TestConfig;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How much waits in the outbox, for those who add to it. */
@Timeout(60)
class OutboxDepthTest {

  private final Shipping shipping = new Shipping();
  private final OutboxConfig config = TestConfig.outbox(Map.of("most-waiting", 20));
  private final Heard<Backpressure> heard = new Heard<>();
  private final OutboxDepth depth = new OutboxDepth(Shipping.DATABASE.source(), config, heard);

  @AfterEach
  void close() {
    Shipping.DATABASE.update("DELETE FROM outbox_message");
    shipping.close();
  }

  @Test
  void countsUpToItsBound() throws Exception {
    commit(15);
    assertThat(depth.waiting()).isEqualTo(15);
    commit(15);
    assertThat(depth.waiting()).isEqualTo(depth.bound()).isEqualTo(20);
  }

  @Test
  void isHeardOfOnceWhenARelayRuns() {
    assertThat(heard.events()).isEmpty();
    depth.begin();
    depth.begin();
    assertThat(heard.events()).containsExactly(depth);
  }

  private void commit(int messages) throws Exception {
    shipping.commitSilently(
        Stream.generate(shipping::command).limit(messages).toArray(OutboxMessage[]::new));
  }
}
