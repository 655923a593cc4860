package io.onceflow.saga.internal.store;

import static io.onceflow.saga.PlaceOrder.paymentProcessed;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step;
import io.onceflow.saga.internal.Reply;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * That a step was asked for once more is in its saga's row. Seen red when it was only known to the
 * replica that had asked, and when the step was given up on without being asked.
 */
@Timeout(value = 60, unit = SECONDS)
class AwaitOverTest {

  private static final Duration HOUR = Duration.ofHours(1);

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew();
  }

  @Test
  void isAskedForOnceMoreByOneReplicaAndNotByAnother() throws SQLException {
    UUID saga = asked(HOUR);

    Shop other = shop(HOUR);
    makeTimerDue();
    assertThat(other.fireDue(10)).as("early").hasSize(1);
    assertThat(other.heard()).as("it was asked for already").isEmpty();
    assertThat(other.view(saga).steps().getFirst().attempts()).isEqualTo(2);

    other.deliver(saga, paymentProcessed());
    assertThat(other.heard()).as("as if it had come in time").containsExactly("arrange-shipment");
    assertThat(other.view(saga).status()).isEqualTo(SagaStatus.RUNNING);
  }

  @Test
  void isGivenUpOnByAnyReplicaWhenItIsStillPending() throws SQLException {
    UUID saga = asked(HOUR);

    Shop other = shop(HOUR);
    other.deliver(saga, new Pending());
    assertThat(other.heard()).containsExactly("refund-payment");
  }

  @Test
  void isGivenUpOnByAnyReplicaWhenNoAnswerComes() throws SQLException {
    UUID saga = asked(Duration.ofMillis(100));

    Shop other = shop(Duration.ofMillis(100));
    await().until(() -> !other.fireDue(10).isEmpty());
    assertThat(other.heard()).containsExactly("refund-payment");
    assertThat(other.view(saga).reason()).isEqualTo("TIMED_OUT");
  }

  /** Its time was over a second after it was pending. */
  private static UUID asked(Duration replyWithin) throws SQLException {
    Shop shop = shop(replyWithin);
    UUID saga = shop.placeOne();
    Shop.Sent first = shop.sent.getFirst();
    shop.heard();
    shop.deliver(saga, new Pending());
    shop.fireDue(10);
    assertThat(shop.sent).as("it waits").isEmpty();

    await()
        .until(
            () -> {
              shop.fireDue(10);
              return !shop.sent.isEmpty();
            });
    assertThat(shop.sent).extracting(Shop.Sent::command).containsExactly(first.command());
    return saga;
  }

  private static void makeTimerDue() throws SQLException {
    SagaDatabase.execute("UPDATE saga_instance SET next_action_at = now() - interval '1 s'");
  }

  private static Shop shop(Duration replyWithin) {
    return new Shop(definition(replyWithin));
  }

  private static SagaDefinition<PlaceOrder> definition(Duration replyWithin) {
    List<Step<PlaceOrder>> steps = new ArrayList<>(PlaceOrder.DEFINITION.steps());
    if (steps.getFirst() instanceof Step.Send<PlaceOrder> payment) {
      steps.set(0, payment.replyWithin(replyWithin).await("settled").within(Duration.ofSeconds(1)));
    }
    return new SagaDefinition<>("place-order", 1, steps);
  }

  private record Pending() implements Reply {

    @Override
    public String step() {
      return "process-payment";
    }

    @Override
    public Optional<String> refusal() {
      return Optional.empty();
    }

    @Override
    public boolean saysPending() {
      return true;
    }

    @Override
    public String type() {
      return "StepPending";
    }
  }
}
