package io.onceflow.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.rabbitmq.internal.Listener;
import io.onceflow.test.internal.TestConfig;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The broker is stopped and started, in earnest. */
@Timeout(180)
@Tag("nightly")
class RelayOutageTest {

  private final BrokerShipping shipping = new BrokerShipping();

  @AfterEach
  void close() {
    BrokerShipping.SERVERS.startBroker();
    shipping.close();
  }

  @Test
  void keepsRowsWhileTheBrokerIsAwayAndDeliversThemByItself() throws Exception {
    // Polling, since the queue may be bound only after the relay has met the broker again.
    shipping.relay(TestConfig.outbox(Map.of("relay.poll-interval", Duration.ofMillis(100))));
    try (Listener before = new Listener().to(OutboxMessage.COMMANDS, shipping.to)) {
      shipping.commit(shipping.command());
      await().until(() -> before.received().size() == 1 && BrokerShipping.rows() == 0);
    }
    BrokerShipping.SERVERS.stopBroker();
    OutboxMessage[] waiting =
        Stream.generate(shipping::command).limit(20).toArray(OutboxMessage[]::new);
    for (OutboxMessage message : waiting) {
      shipping.commit(message);
    }
    await().until(() -> !shipping.broker.isOpen());
    assertThat(BrokerShipping.rows()).isEqualTo(20);
    BrokerShipping.SERVERS.startBroker();
    try (Listener after = new Listener().to(OutboxMessage.COMMANDS, shipping.to)) {
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> after.ids().stream().distinct().count() == 20 && BrokerShipping.rows() == 0);
      assertThat(after.ids())
          .containsAll(Stream.of(waiting).map(message -> message.id().toString()).toList());
    }
  }
}
