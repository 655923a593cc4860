package io.onceflow.order.saga;

import io.onceflow.message.Done;
import io.onceflow.message.Refused;
import io.onceflow.order.saga.OrderReply.Undone;
import io.onceflow.saga.runtime.ParticipantReply;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** What others answer while an order is given back; see {@code docs/messages}. */
public sealed interface ReturnReply extends ParticipantReply {

  /** Which order it is about. */
  UUID orderId();

  /** The carrier will fetch it. */
  @Done(Commands.ArrangeReturn.class)
  record ReturnArranged(UUID returnId, UUID orderId, UUID shipmentId, String trackingNumber)
      implements ReturnReply {

    public ReturnArranged {
      Objects.requireNonNull(returnId, "returnId");
      Objects.requireNonNull(orderId, "orderId");
      Objects.requireNonNull(shipmentId, "shipmentId");
      Objects.requireNonNull(trackingNumber, "trackingNumber");
    }

    @Override
    public String step() {
      return ReturnOrderSaga.ARRANGE_RETURN;
    }

    @Override
    public String recordedAs() {
      return "record-return";
    }
  }

  /** The carrier will not fetch it. */
  @Refused(Commands.ArrangeReturn.class)
  record ReturnRejected(UUID returnId, UUID orderId, String reason) implements ReturnReply {

    public ReturnRejected {
      Objects.requireNonNull(returnId, "returnId");
      Objects.requireNonNull(orderId, "orderId");
      Objects.requireNonNull(reason, "reason");
    }

    @Override
    public String step() {
      return ReturnOrderSaga.ARRANGE_RETURN;
    }

    @Override
    public Optional<String> refusal() {
      return Optional.of(Undone.of(reason).because("RETURN_", "REJECTED"));
    }

    @Override
    public boolean isInDoubt() {
      return Undone.of(reason) == Undone.UNAVAILABLE;
    }

    @Override
    public String recordedAs() {
      return "record-return";
    }
  }

  /** The carrier will not come, or not any more. */
  @Done(Commands.CancelReturn.class)
  record ReturnCancelled(UUID returnId, UUID orderId) implements ReturnReply {

    public ReturnCancelled {
      Objects.requireNonNull(returnId, "returnId");
      Objects.requireNonNull(orderId, "orderId");
    }

    @Override
    public String step() {
      return ReturnOrderSaga.CANCEL_RETURN;
    }

    @Override
    public String recordedAs() {
      return "record-return-cancellation";
    }
  }

  /**
   * The customer has the money back.
   *
   * @param amount in minor units
   */
  @Done(Commands.ReturnPayment.class)
  record PaymentReturned(UUID orderId, long amount) implements ReturnReply {

    public PaymentReturned {
      Objects.requireNonNull(orderId, "orderId");
    }

    @Override
    public String step() {
      return ReturnOrderSaga.RETURN_PAYMENT;
    }

    @Override
    public String recordedAs() {
      return "record-payment-return";
    }
  }
}
