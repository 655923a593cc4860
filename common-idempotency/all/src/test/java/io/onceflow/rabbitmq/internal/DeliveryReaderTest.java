package io.onceflow.rabbitmq.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Envelope;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.TestBundles;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.outbox.internal.transport.MessageBundle;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What comes by a channel, as the inbox gets it. */
class DeliveryReaderTest {

  private final List<Delivery> received = new ArrayList<>();
  private final DeliveryReader reader =
      new DeliveryReader(unused(), "payment-service.commands", 1024, received::add);

  private static Channel unused() {
    return (Channel)
        Proxy.newProxyInstance(
            DeliveryReaderTest.class.getClassLoader(),
            new Class<?>[] {Channel.class},
            (proxy, method, arguments) -> {
              throw new AssertionError("nothing is acknowledged here");
            });
  }

  /** A buffer of Node and bytes of Python are sent so. */
  @Test
  void aKeyThatIsSentAsBytesIsTheSameTextAtEachDelivery() {
    read(Map.of("x-idempotency-key", "5f0c".getBytes(UTF_8)));
    read(Map.of("x-idempotency-key", "5f0c".getBytes(UTF_8)));

    assertThat(received)
        .extracting(delivery -> delivery.headers().get("x-idempotency-key"))
        .containsExactly("5f0c", "5f0c");
  }

  @Test
  void aNumberIsReadAsItIsWritten() {
    read(Map.of("x-message-version", 1));

    assertThat(received.getFirst().headers()).isEqualTo(Map.of("x-message-version", "1"));
  }

  @Test
  void aMessageWithoutHeadersHasNone() {
    reader.read(envelope(), new BasicProperties(), new byte[0]);

    assertThat(received.getFirst().headers()).isEmpty();
  }

  /** Senders do not know the limit of a consumer: all messages of such a pack were parked. */
  @Test
  void theLimitOfSizeIsForEachMessageOfAPack() {
    String large = "1".repeat(1025);
    byte[] pack =
        TestBundles.of(List.of(message("2".repeat(600)), message(large), message("3".repeat(600))));
    reader.read(
        envelope(),
        new BasicProperties.Builder().contentType(MessageBundle.CONTENT_TYPE).build(),
        pack);

    assertThat(received).extracting(delivery -> delivery.body().length).startsWith(600).hasSize(3);
    assertThat(received.get(0).headers()).doesNotContainKey(MessageHeaders.TRUNCATED);
    assertThat(received.get(2).headers()).doesNotContainKey(MessageHeaders.TRUNCATED);
    assertThat(received.get(1).headers()).containsKey(MessageHeaders.TRUNCATED);
  }

  /** How often a bundle came in vain holds for each of its messages. */
  @Test
  void theMessagesOfAPackHaveItsDeliveryCount() {
    reader.read(
        envelope(),
        new BasicProperties.Builder()
            .contentType(MessageBundle.CONTENT_TYPE)
            .headers(Map.of("x-delivery-count", 21L))
            .build(),
        TestBundles.of(List.of(message("1"))));

    assertThat(received.getFirst().headers()).containsEntry("x-delivery-count", "21");
  }

  private static OutboxMessage message(String payload) {
    return new OutboxMessage(
        OutboxMessage.newId(),
        "payment",
        "1",
        "TakeMoney",
        payload,
        "onceflow.commands",
        "payment.process",
        "saga",
        "order-service",
        Map.of());
  }

  private void read(Map<String, Object> headers) {
    reader.read(
        envelope(), new BasicProperties.Builder().headers(headers).build(), "{}".getBytes(UTF_8));
  }

  private Envelope envelope() {
    return new Envelope(received.size() + 1L, false, "onceflow.commands", "payment.process");
  }
}
