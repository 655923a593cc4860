package io.onceflow.rabbitmq.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.TestBundles;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several messages in one, as a relay bundles them, on a real broker. */
@Timeout(120)
class RabbitConsumerBundlesTest {

  private final ConsumedQueue queue;

  RabbitConsumerBundlesTest() throws IOException {
    queue = new ConsumedQueue();
  }

  @AfterEach
  void close() throws IOException {
    queue.close();
  }

  @Test
  void opensAPackAndAcknowledgesItWhenAllThatIsInItIsSettled() throws Exception {
    ConsumerLoop consumer = queue.consume();
    queue.sendBundle(TestBundles.of(List.of(message("1"), message("2"), message("3"))));
    queue.awaitReceived(3);
    assertThat(queue.bodies()).containsExactly("1", "2", "3");
    assertThat(queue.received.get(1).correlationId()).isEqualTo("saga-2");
    Delivery.acknowledge(queue.received.subList(1, 3));
    assertThat(queue.wire.acknowledgements()).isZero();
    Delivery.acknowledge(queue.received.subList(0, 1));
    await().until(() -> queue.wire.acknowledgements() == 1);
    consumer.close();
    assertThat(queue.waiting()).isZero();
  }

  @Test
  void handsOnAPackThatIsNoneForParking() throws Exception {
    queue.consume();
    queue.sendBundle("rubbish".getBytes(UTF_8));
    queue.awaitReceived(1);
    assertThat(queue.received.getFirst().body()).isEqualTo("rubbish".getBytes(UTF_8));
    assertThatThrownBy(() -> InboundMessage.read(queue.received.getFirst()))
        .isInstanceOfSatisfying(
            UnprocessableMessage.class,
            why -> assertThat(why.reason()).isEqualTo(ParkingReason.MALFORMED));
  }

  private OutboxMessage message(String payload) {
    return new OutboxMessage(
        OutboxMessage.newId(),
        "payment",
        payload,
        "TakeMoney",
        payload,
        queue.queue.exchange(),
        queue.name + ".take",
        "saga-" + payload,
        "order-service",
        Map.of());
  }
}
