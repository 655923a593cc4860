package io.onceflow.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How much waits in the outbox, for those who add to it. */
@Timeout(60)
class OutboxDepthTest {

  private final Shipping shipping = new Shipping();
  private final OutboxConfig config = new TestOutboxConfig().withRoomFor(20);
  private final OutboxDepth depth = new OutboxDepth(Shipping.DATABASE.source(), config);

  @AfterEach
  void close() {
    Shipping.DATABASE.update("DELETE FROM outbox_message");
    shipping.close();
  }

  @Test
  void countsUpToItsBound() throws Exception {
    depth.begin();
    commit(15);
    assertThat(depth.waiting()).isEqualTo(15);
    commit(15);
    assertThat(depth.waiting()).isEqualTo(depth.bound()).isEqualTo(20);
  }

  @Test
  void asksNothingBeforeARelayRuns() throws Exception {
    commit(15);
    assertThat(depth.waiting()).isZero();
  }

  private void commit(int messages) throws Exception {
    shipping.commitSilently(
        Stream.generate(shipping::command).limit(messages).toArray(OutboxMessage[]::new));
  }
}
