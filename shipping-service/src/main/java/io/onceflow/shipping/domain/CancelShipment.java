package io.onceflow.shipping.domain;

import io.onceflow.core.StepKey;
import io.onceflow.inbox.Decision;
import io.onceflow.inbox.Found;
import io.onceflow.inbox.NotDone;
import io.onceflow.inbox.RowHandler;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.shipping.domain.ShipmentReply.ShipmentCancelled;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** Takes back what was booked for an order; step key {@code <root key>:cancel-shipment}. */
public final class CancelShipment implements RowHandler<CancelShipmentCommand, Shipment> {

  static final String STEP = "cancel-shipment";

  private final Carrier carrier;

  /** Takes back by way of this carrier. */
  public CancelShipment(Carrier carrier) {
    this.carrier = carrier;
  }

  @Override
  public String type() {
    return "CancelShipment";
  }

  @Override
  public String step() {
    return STEP;
  }

  @Override
  public Class<CancelShipmentCommand> payload() {
    return CancelShipmentCommand.class;
  }

  @Override
  public Optional<String> undoes() {
    return Optional.of(ArrangeShipment.STEP);
  }

  @Override
  public UUID subject(CancelShipmentCommand command) {
    return command.orderId();
  }

  /**
   * A cancellation may overtake its booking (rule 6). Nothing booked yet means that nothing ever
   * will be: the tombstone takes the booking's place, and whoever comes late finds it.
   */
  @Override
  public Decision<Shipment> decide(
      CancelShipmentCommand command, Found<Shipment> booking, Instant now) {
    return switch (booking) {
      case Found.Nothing<Shipment>() ->
          Decision.tombstone(ArrangeShipment.STEP).reply(nothingToTakeBack(command));
      case Found.Running<Shipment>() -> Decision.waitFor(ArrangeShipment.STEP);
      case Found.InDoubt<Shipment>() ->
          Decision.undo((scope, action) -> annul(new BookingKey(scope, action), command, now));
      case Found.Done<Shipment>(Shipment shipment) when shipment.isBooked() ->
          Decision.callOut(ownKey -> cancel(shipment, now));
      case Found.Done<Shipment>(Shipment shipment) -> Decision.reply(nothingToTakeBack(command));
    };
  }

  @Override
  public Object notDone(CancelShipmentCommand command, NotDone why) {
    throw new IllegalStateException("a compensation is done, however long it takes");
  }

  @Override
  public boolean wasWrittenBy(Shipment row, String scope, StepKey action) {
    return row.key().equals(new BookingKey(scope, action));
  }

  /** Nobody knows whether it was booked; the carrier does, and makes sure. */
  private Decision.Answer<Shipment> annul(
      BookingKey booking, CancelShipmentCommand command, Instant now) throws InterruptedException {
    Decision.Answer<Shipment> answer = Decision.reply(nothingToTakeBack(command));
    return carrier
        .annul(booking, command.orderId())
        .map(
            number ->
                Shipment.booked(OutboxMessage.newId(), booking, command.orderId(), number, now)
                    .cancelledAt(now))
        .map(answer::save)
        .orElse(answer);
  }

  /** The booking's own key, so that one booking is taken back once, whoever asks for it. */
  private Decision.Answer<Shipment> cancel(Shipment shipment, Instant now)
      throws InterruptedException {
    carrier.cancel(shipment.key().cancellation(), shipment.orderId(), shipment.booking());
    return Decision.<Shipment>reply(new ShipmentCancelled(shipment.orderId()))
        .save(shipment.cancelledAt(now));
  }

  private static ShipmentCancelled nothingToTakeBack(CancelShipmentCommand command) {
    return new ShipmentCancelled(command.orderId());
  }
}
