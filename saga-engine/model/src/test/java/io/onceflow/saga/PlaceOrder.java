package io.onceflow.saga;

import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;
import static java.time.Duration.ofSeconds;

import io.onceflow.message.Done;
import io.onceflow.saga.Step.OutgoingCommand;
import io.onceflow.saga.internal.Reply;
import io.onceflow.saga.internal.engine.SagaEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An order as far as the engine's tests need one, and the saga of DESIGN word for word. */
public record PlaceOrder(
    UUID id, List<String> noted, boolean confirmed, @Nullable String cancelledFor) {

  public static final SagaDefinition<PlaceOrder> DEFINITION =
      saga(
              "place-order",
              1,
              step("process-payment")
                  .send(PlaceOrder::processPayment)
                  .compensateWith("refund-payment", PlaceOrder::refundPayment)
                  .on(Answer.class, PlaceOrder::note)
                  .replyWithin(ofSeconds(10)),
              step("arrange-shipment")
                  .send(PlaceOrder::arrangeShipment)
                  .compensateWith("cancel-shipment", PlaceOrder::cancelShipment)
                  .on(Answer.class, PlaceOrder::note)
                  .replyWithin(ofSeconds(10)),
              pivot("confirm-order").run(PlaceOrder::confirm))
          .onCompensated(PlaceOrder::compensated);

  public static PlaceOrder order() {
    return new PlaceOrder(
        UUID.fromString("0199c3aa-0000-7000-8000-000000000001"), List.of(), false, null);
  }

  OutgoingCommand processPayment() {
    return new OutgoingCommand("ProcessPayment", "payment.process", id);
  }

  OutgoingCommand refundPayment() {
    return new OutgoingCommand("RefundPayment", "payment.refund", id);
  }

  OutgoingCommand arrangeShipment() {
    return new OutgoingCommand("ArrangeShipment", "shipping.arrange", id);
  }

  OutgoingCommand cancelShipment() {
    return new OutgoingCommand("CancelShipment", "shipping.cancel", id);
  }

  PlaceOrder confirm() {
    return new PlaceOrder(id, noted, true, null);
  }

  PlaceOrder note(Reply reply) {
    List<String> all = new ArrayList<>(noted);
    all.add(reply.type());
    return new PlaceOrder(id, List.copyOf(all), confirmed, cancelledFor);
  }

  PlaceOrder compensated(String reason) {
    return new PlaceOrder(id, noted, false, reason);
  }

  public static Reply paymentProcessed() {
    return done("process-payment", "PaymentProcessed");
  }

  public static Reply paymentDeclined() {
    return refused("process-payment", "PaymentDeclined", "PAYMENT_DECLINED");
  }

  public static Reply paymentRefunded() {
    return done("refund-payment", "PaymentRefunded");
  }

  public static Reply shipmentArranged() {
    return done("arrange-shipment", "ShipmentArranged");
  }

  public static Reply shipmentRejected() {
    return refused("arrange-shipment", "ShipmentRejected", "SHIPMENT_REJECTED");
  }

  public static Reply shipmentCancelled() {
    return done("cancel-shipment", "ShipmentCancelled");
  }

  public static Reply done(String step) {
    return done(step, "Done");
  }

  public static Reply done(String step, String type) {
    return new Answer(step, Optional.empty(), false, false, type);
  }

  public static Reply refused(String step) {
    return refused(step, "Refused", "REFUSED");
  }

  public static Reply refused(String step, String type, String reason) {
    return new Answer(step, Optional.of(reason), false, false, type);
  }

  /** The participant's attempts are used up. */
  public static Reply inDoubt(String step) {
    return new Answer(step, Optional.of("UNAVAILABLE"), true, false, "InDoubt");
  }

  /** The participant has begun it and waits for the world. */
  public static Reply pending(String step) {
    return new Answer(step, Optional.empty(), false, true, "StepPending");
  }

  /** The event of a reply whose copies are known by its type. */
  public static SagaEvent.Replied replied(Reply reply) {
    return new SagaEvent.Replied(reply, reply.step(), reply.type());
  }

  /**
   * A reply without a business, to commands that have no records: which one it names is no matter.
   */
  @Done(PlaceOrder.class)
  public record Answer(
      String step, Optional<String> refusal, boolean isInDoubt, boolean saysPending, String type)
      implements Reply {}
}
