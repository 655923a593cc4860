package io.onceflow.kafka.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.inbox.internal.consumer.Delivery;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** Kafka lets a record have a header twice; over HTTP and in a bundle a second key is refused. */
class MessageRecordsTest {

  private static final int LARGEST = 1024;

  private final ConsumerRecord<byte[], byte[]> record =
      new ConsumerRecord<>("onceflow.commands.payment", 0, 0, null, "{}".getBytes(UTF_8));

  @Test
  void aKeyThatIsThereTwiceIsAFault() {
    header("x-idempotency-key", "5f0c");
    header("x-idempotency-key", "71aa");

    assertThat(read().fault()).isEqualTo("header x-idempotency-key is there twice");
  }

  @Test
  void soIsWhoSentIt() {
    header("routing-key", "order-service.shipping-service");
    header("routing-key", "order-service.payment-service");

    assertThat(read().fault()).contains("routing-key");
  }

  @Test
  void aHeaderThatSaysTheSameTwiceIsNone() {
    header("x-idempotency-key", "5f0c");
    header("x-idempotency-key", "5f0c");

    assertThat(read().fault()).isNull();
  }

  /** The last one is the nearest. */
  @Test
  void ofTraceContextsTheLastOneCounts() {
    header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01");

    assertThat(read().fault()).isNull();
    assertThat(read().headers().get("traceparent")).contains("00f067aa0ba902b7");
  }

  private void header(String name, String value) {
    record.headers().add(name, value.getBytes(UTF_8));
  }

  private Delivery read() {
    return MessageRecords.read("payment-service.commands", record, LARGEST, () -> () -> {});
  }
}
