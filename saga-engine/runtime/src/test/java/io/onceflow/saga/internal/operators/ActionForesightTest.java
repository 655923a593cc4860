package io.onceflow.saga.internal.operators;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.Journey;
import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.internal.Jitter;
import io.onceflow.saga.internal.engine.ReplyBackoff;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SagaExecution;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.operators.SagaDetails.Kind;
import java.time.Instant;
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

  private String preview(Kind kind) {
    return ActionForesight.comesTo(kind, saga.state(), PlaceOrder.DEFINITION);
  }

  private void take(SagaEvent event) {
    saga.apply(event, NOW);
  }
}
