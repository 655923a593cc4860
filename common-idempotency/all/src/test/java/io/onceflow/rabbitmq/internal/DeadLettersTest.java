package io.onceflow.rabbitmq.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.participant.Answer.UnprocessableMessage;
import io.onceflow.rabbitmq.internal.management.QueueWarnings;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What the broker has given up on is parked with the broker's reason, as it was in its queue. */
class DeadLettersTest {

  /** Keeps what is parked. */
  private static final class Kept implements BatchSettler {
    final List<Delivery> parked = new ArrayList<>();
    final List<UnprocessableMessage> reasons = new ArrayList<>();

    @Override
    public void settle(List<Delivery> batch) {
      throw new AssertionError("a dead letter is not handled by itself");
    }

    @Override
    public void park(Delivery delivery, UnprocessableMessage why) {
      parked.add(delivery);
      reasons.add(why);
    }

    @Override
    public boolean redrive(Parked parked) {
      return false;
    }
  }

  private final Kept kept = new Kept();
  private final AtomicLong nanos = new AtomicLong();
  private final QueueWarnings warnings = new QueueWarnings(nanos::get);
  private final DeadLetters.Parks settler = new DeadLetters.Parks(kept, warnings);

  @Test
  void parksAMessageThatWasDeliveredTooOften() throws SQLException {
    settler.settle(List.of(letter("delivery_limit")));
    assertThat(kept.reasons.getFirst().reason()).isEqualTo(ParkingReason.DELIVERY_LIMIT);
    Delivery parked = kept.parked.getFirst();
    assertThat(parked.queue()).isEqualTo("payment-service.commands");
    assertThat(parked.body()).isEqualTo("{}".getBytes(StandardCharsets.UTF_8));
    assertThat(parked.headers())
        .containsEntry(MessageHeaders.IDEMPOTENCY_KEY, "5f0c")
        .doesNotContainKey("x-death");
  }

  @Test
  void saysWhyElseTheBrokerGaveAMessageUp() throws SQLException {
    settler.settle(List.of(letter("expired")));
    assertThat(kept.reasons.getFirst().reason()).isEqualTo(ParkingReason.DEAD_LETTERED);
    assertThat(kept.reasons.getFirst()).hasMessageContaining("\"expired\"");
  }

  /** Where AMQP alone can be asked, nothing else shows that a policy drops messages. */
  @Test
  void whatAPolicyDoesIsToldAsLongAsItDoesIt() throws SQLException {
    String queue = "payment-service.commands";
    settler.settle(List.of(letter("rejected")));
    assertThat(warnings.of(queue)).isEmpty();

    settler.settle(List.of(letter("expired"), letter("delivery_limit")));
    assertThat(warnings.of(queue).orElseThrow()).contains("message-ttl", "delivery-limit");
    assertThat(warnings.all().orElseThrow()).startsWith(queue + ": ");

    nanos.addAndGet(QueueWarnings.SHOWN_FOR.toNanos() + 1);
    assertThat(warnings.of(queue)).isEmpty();
    assertThat(warnings.all()).isEmpty();
  }

  /** Before: it was told for ever, once the management API could not be read any more. */
  @Test
  void whatWasReviewedLongAgoIsNotToldAnyMore() {
    warnings.reviewed("payment-service.commands", List.of("it expires"));
    assertThat(warnings.of("payment-service.commands")).hasValue("it expires");

    nanos.addAndGet(QueueWarnings.SHOWN_FOR.toNanos() + 1);
    assertThat(warnings.of("payment-service.commands")).isEmpty();
    assertThat(warnings.all()).isEmpty();
  }

  @Test
  void theMessagesOfABundleHaveTheBundlesHistory() {
    Map<String, Object> headers = new HashMap<>();
    headers.put("x-first-death-queue", "payment-service.commands");
    headers.put("x-first-death-reason", "delivery_limit");
    headers.put("x-death", List.of());
    Map<String, String> history = DeadLetters.history(headers);
    assertThat(DeadLetters.join(Map.of("a", "b"), history))
        .containsOnlyKeys("a", "x-first-death-queue", "x-first-death-reason");
    assertThat(DeadLetters.history(Map.of("a", "b"))).isEmpty();
  }

  @Test
  void eachServiceHasAQueueOfItsOwnForThem() {
    RabbitQueue queue =
        new RabbitQueue("payment-service.commands", "onceflow.commands", "payment.#");
    assertThat(queue.deadLetters())
        .isEqualTo(
            new RabbitQueue(
                "payment-service.dead-letters",
                "onceflow.dead-letters",
                "payment-service.commands"));
  }

  private static Delivery letter(String reason) {
    return new Delivery(
        "payment-service.dead-letters",
        "1",
        "ProcessPayment",
        null,
        null,
        Map.of(
            MessageHeaders.IDEMPOTENCY_KEY,
            "5f0c",
            "x-first-death-queue",
            "payment-service.commands",
            "x-first-death-reason",
            reason,
            "x-death",
            "[{count=1}]"),
        "{}".getBytes(StandardCharsets.UTF_8),
        () -> {});
  }
}
