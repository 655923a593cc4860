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
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What comes by a channel, as the inbox gets it. */
class DeliveryReaderTest {

  private static final int MESSAGES_OF_A_BUNDLE = 400;

  private final List<Delivery> received = new ArrayList<>();
  private final DeliveryReader reader =
      new DeliveryReader(unused(), "payment-service.commands", 2, 1024, received::add);

  private static Channel unused() {
    return (Channel)
        Proxy.newProxyInstance(
            DeliveryReaderTest.class.getClassLoader(),
            new Class<?>[] {Channel.class},
            (proxy, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("basicAck");
              return null;
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

  /** Senders do not know the limit of a consumer: all messages of such a bundle were parked. */
  @Test
  void theLimitOfSizeIsForEachMessageOfABundle() {
    String large = "1".repeat(1025);
    byte[] bundle =
        TestBundles.of(List.of(message("2".repeat(600)), message(large), message("3".repeat(600))));
    reader.read(
        envelope(),
        new BasicProperties.Builder().contentType(MessageBundle.CONTENT_TYPE).build(),
        bundle);

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

  /**
   * Opened, 128 bundles of the largest size took some 100 MB. So those that wait are as they came,
   * and only what is next is opened.
   */
  @Test
  void bundlesThatWaitAreNotOpened() {
    byte[] bundle =
        TestBundles.of(Stream.generate(() -> message("{}")).limit(MESSAGES_OF_A_BUNDLE).toList());
    int bundles = 128;
    for (int tag = 1; tag <= bundles; tag++) {
      reader.read(
          new Envelope(tag, false, "onceflow.commands", "bundle.payment.process"),
          new BasicProperties.Builder().contentType(MessageBundle.CONTENT_TYPE).build(),
          bundle);
    }
    int opened = received.size() / MESSAGES_OF_A_BUNDLE;
    assertThat((opened - 1) * bundle.length).isLessThan(DeliveryReader.OPENED);

    for (int settled = 0; settled < received.size(); settled += MESSAGES_OF_A_BUNDLE) {
      assertThat(received.size() - settled).isLessThanOrEqualTo(opened * MESSAGES_OF_A_BUNDLE);
      Delivery.acknowledge(List.copyOf(received.subList(settled, settled + MESSAGES_OF_A_BUNDLE)));
    }
    assertThat(received).hasSize(bundles * MESSAGES_OF_A_BUNDLE);
    assertThat(reader.isIdle()).isTrue();
  }

  /** A message that is larger than all that is opened at once comes alone. */
  @Test
  void whatIsTooLargeWaitsAsItsBeginning() {
    for (int tag = 1; tag <= 3; tag++) {
      reader.read(
          new Envelope(tag, false, "onceflow.commands", "payment.process"),
          new BasicProperties(),
          new byte[DeliveryReader.OPENED]);
    }

    assertThat(received).hasSize(3).allMatch(one -> one.body().length == 1024);
  }

  /** The channel has ended; what it had not handed on comes by another one. */
  @Test
  void afterItsEndNothingIsHandedOn() {
    byte[] bundle = TestBundles.of(List.of(message("x".repeat(190_000))));
    for (int tag = 1; tag <= 20; tag++) {
      reader.read(
          new Envelope(tag, false, "onceflow.commands", "bundle.payment.process"),
          new BasicProperties.Builder().contentType(MessageBundle.CONTENT_TYPE).build(),
          bundle);
    }
    List<Delivery> first = List.copyOf(received);
    assertThat(first).hasSizeLessThan(20);
    reader.close();

    Delivery.acknowledge(first);

    assertThat(received).isEqualTo(first);
  }

  /** It waits for an acknowledgement that nothing can give. */
  @Test
  void aDeliveryThatDidNotArriveIsNoticed() {
    assertThat(read(1)).isEmpty();
    assertThat(read(2)).isEmpty();
    assertThat(read(4)).hasValueSatisfying(why -> assertThat(why).contains("deliveries 3 to 3"));
  }

  private Optional<String> read(long tag) {
    return reader.read(
        new Envelope(tag, false, "onceflow.commands", "payment.process"),
        new BasicProperties(),
        new byte[0]);
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
