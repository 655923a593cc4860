package io.onceflow.saga.internal.operators;

import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.start;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.Journey;
import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.Jitter;
import io.onceflow.saga.internal.engine.ReplyBackoff;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SagaExecution;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.operators.SagaDetails.Kind;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A preview names the message that the action sends. */
class ActionForesightTest {

  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private final SagaExecution<PlaceOrder> saga =
      new SagaExecution<>(
          PlaceOrder.DEFINITION,
          new ReplyBackoff(Jitter.NONE),
          Journey::news,
          SagaState.toBeStarted(new UUID(0, 1), PlaceOrder.DEFINITION, NOW),
          PlaceOrder.order());

  /** Before: it said that the payment's command would be sent, the charge once more. */
  @Test
  void ofARetryOfASagaThatWaitsForARefundNamesTheRefund() {
    take(new SagaEvent.Started());
    take(PlaceOrder.replied(PlaceOrder.paymentProcessed()));
    take(PlaceOrder.replied(PlaceOrder.shipmentRejected()));

    assertThat(preview(Kind.RETRY)).contains("refund-payment").doesNotContain("process-payment");
  }

  /** Before: it "undoes refund-payment". */
  @Test
  void ofACompensationSaysWhichStepsAreUndoneAndByWhat() {
    take(new SagaEvent.Started());
    take(PlaceOrder.replied(PlaceOrder.paymentProcessed()));

    assertThat(preview(Kind.COMPENSATE))
        .isEqualTo(
            "Ends arrange-shipment at once and compensates arrange-shipment with"
                + " cancel-shipment, process-payment with refund-payment.");
    assertThat(preview(Kind.CANCEL))
        .startsWith("Waits for the answer to arrange-shipment, then compensates arrange-shipment");
  }

  @Test
  void ofACancellationNamesTheSagaThatIsUndoneWithIt() {
    SagaDefinition<Journey> definition =
        saga("j", 1, Journey.book("room"), start("errand", Journey.Errand.class, Journey::errand));
    SagaExecution<Journey> parent =
        new SagaExecution<>(
            definition,
            new ReplyBackoff(Jitter.NONE),
            Journey::news,
            SagaState.toBeStarted(new UUID(0, 1), definition, NOW),
            new Journey(new UUID(0, 7), List.of()));
    parent.apply(new SagaEvent.Started(), NOW);
    parent.apply(PlaceOrder.replied(PlaceOrder.done("book-room")), NOW);

    assertThat(ActionForesight.comesTo(Kind.CANCEL, parent.state(), definition))
        .isEqualTo("Compensates the saga that errand has started, book-room with cancel-room.");
    parent.apply(new SagaEvent.Cancel("CANCELLED", "ada", null), NOW);
    assertThat(ActionForesight.comesTo(Kind.RETRY, parent.state(), definition))
        .contains("Tells the saga that errand has started at once to be undone.");
  }

  private String preview(Kind kind) {
    return ActionForesight.comesTo(kind, saga.state(), PlaceOrder.DEFINITION);
  }

  private void take(SagaEvent event) {
    saga.apply(event, NOW);
  }
}
