package io.onceflow.order.saga;

import io.onceflow.message.Done;
import io.onceflow.message.Refused;
import io.onceflow.saga.runtime.ParticipantReply;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** What others answer while an order is placed; the shapes are fixed by {@code docs/messages}. */
public sealed interface OrderReply extends ParticipantReply {

  /** Which order it is about. */
  UUID orderId();

  /** The charge was made. */
  @Done(Commands.ProcessPayment.class)
  record PaymentProcessed(
      UUID orderId, UUID paymentId, long amount, String currency, String gatewayReference)
      implements OrderReply {

    public PaymentProcessed {
      Objects.requireNonNull(orderId, "orderId");
      Objects.requireNonNull(paymentId, "paymentId");
      Objects.requireNonNull(gatewayReference, "gatewayReference");
    }

    @Override
    public String step() {
      return PlaceOrderSaga.PROCESS_PAYMENT;
    }

    @Override
    public String recordedAs() {
      return "record-payment";
    }
  }

  /** The gateway would not charge. */
  @Refused(Commands.ProcessPayment.class)
  record PaymentDeclined(UUID orderId, String reason) implements OrderReply {

    public PaymentDeclined {
      Objects.requireNonNull(orderId, "orderId");
      Objects.requireNonNull(reason, "reason");
    }

    @Override
    public String step() {
      return PlaceOrderSaga.PROCESS_PAYMENT;
    }

    @Override
    public Optional<String> refusal() {
      return Optional.of(Undone.of(reason).because("PAYMENT_", "DECLINED"));
    }

    @Override
    public boolean isInDoubt() {
      return Undone.of(reason) == Undone.UNAVAILABLE;
    }

    @Override
    public String recordedAs() {
      return "record-payment";
    }
  }

  /**
   * The charge was given back.
   *
   * @param amount 0 when nothing had been charged
   */
  @Done(Commands.RefundPayment.class)
  record PaymentRefunded(UUID orderId, long amount) implements OrderReply {

    public PaymentRefunded {
      Objects.requireNonNull(orderId, "orderId");
    }

    @Override
    public String step() {
      return PlaceOrderSaga.REFUND_PAYMENT;
    }

    @Override
    public String recordedAs() {
      return "record-refund";
    }
  }

  /** The carrier has taken the booking. */
  @Done(Commands.ArrangeShipment.class)
  record ShipmentArranged(UUID orderId, UUID shipmentId, String trackingNumber)
      implements OrderReply {

    public ShipmentArranged {
      Objects.requireNonNull(orderId, "orderId");
      Objects.requireNonNull(shipmentId, "shipmentId");
      Objects.requireNonNull(trackingNumber, "trackingNumber");
    }

    @Override
    public String step() {
      return PlaceOrderSaga.ARRANGE_SHIPMENT;
    }

    @Override
    public String recordedAs() {
      return "record-shipment";
    }
  }

  /** The carrier would not take it. */
  @Refused(Commands.ArrangeShipment.class)
  record ShipmentRejected(UUID orderId, String reason) implements OrderReply {

    public ShipmentRejected {
      Objects.requireNonNull(orderId, "orderId");
      Objects.requireNonNull(reason, "reason");
    }

    @Override
    public String step() {
      return PlaceOrderSaga.ARRANGE_SHIPMENT;
    }

    @Override
    public Optional<String> refusal() {
      return Optional.of(Undone.of(reason).because("SHIPMENT_", "REJECTED"));
    }

    @Override
    public boolean isInDoubt() {
      return Undone.of(reason) == Undone.UNAVAILABLE;
    }

    @Override
    public String recordedAs() {
      return "record-shipment";
    }
  }

  /** The booking was taken back. */
  @Done(Commands.CancelShipment.class)
  record ShipmentCancelled(UUID orderId) implements OrderReply {

    public ShipmentCancelled {
      Objects.requireNonNull(orderId, "orderId");
    }

    @Override
    public String step() {
      return PlaceOrderSaga.CANCEL_SHIPMENT;
    }

    @Override
    public String recordedAs() {
      return "record-shipment-cancellation";
    }
  }

  /** What a participant means by not having done a step. */
  enum Undone {
    /** Its business said no. */
    REFUSED,
    /** It saw the command after its time, and will not do it. */
    EXPIRED,
    /** Its attempts are used up: it may have been done. */
    UNAVAILABLE;

    static Undone of(String reason) {
      return switch (reason) {
        case "EXPIRED" -> EXPIRED;
        case "UNAVAILABLE" -> UNAVAILABLE;
        default -> REFUSED;
      };
    }

    /** The reason under which the order is cancelled, such as {@code PAYMENT_EXPIRED}. */
    String because(String step, String refused) {
      return step + (this == REFUSED ? refused : name());
    }
  }
}
