package io.onceflow.shipping.domain;

import io.onceflow.core.StepKey;
import io.onceflow.inbox.Decision;
import io.onceflow.inbox.Found;
import io.onceflow.inbox.NotDone;
import io.onceflow.inbox.RowHandler;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.shipping.domain.ShipmentReply.ReturnCancelled;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** Takes back what was booked for a return; step key {@code <root key>:cancel-return}. */
public final class CancelReturn implements RowHandler<CancelReturnCommand, Shipment> {

  static final String STEP = "cancel-return";

  private final Carrier carrier;

  /** Takes back by way of this carrier. */
  public CancelReturn(Carrier carrier) {
    this.carrier = carrier;
  }

  @Override
  public String type() {
    return "CancelReturn";
  }

  @Override
  public String step() {
    return STEP;
  }

  @Override
  public Class<CancelReturnCommand> payload() {
    return CancelReturnCommand.class;
  }

  @Override
  public Optional<String> undoes() {
    return Optional.of(ArrangeReturn.STEP);
  }

  @Override
  public UUID subject(CancelReturnCommand command) {
    return command.returnId();
  }

  /**
   * A cancellation may overtake its booking (rule 6). Nothing booked yet means that nothing ever
   * will be: the tombstone takes the booking's place, and whoever comes late finds it.
   */
  @Override
  public Decision<Shipment> decide(
      CancelReturnCommand command, Found<Shipment> booking, Instant now) {
    return switch (booking) {
      case Found.Nothing<Shipment>() ->
          Decision.tombstone(ArrangeReturn.STEP).reply(takenBack(command));
      case Found.Running<Shipment>() -> Decision.waitFor(ArrangeReturn.STEP);
      case Found.InDoubt<Shipment>() ->
          Decision.undo((scope, action) -> annul(new BookingKey(scope, action), command, now));
      case Found.Done<Shipment>(Shipment shipment) when shipment.isBooked() ->
          Decision.callOut(ownKey -> cancel(command, shipment, now));
      case Found.Done<Shipment>(Shipment shipment) -> Decision.reply(takenBack(command));
    };
  }

  @Override
  public Object notDone(CancelReturnCommand command, NotDone why) {
    throw new IllegalStateException("a compensation is done, however long it takes");
  }

  @Override
  public boolean wasWrittenBy(Shipment row, String scope, StepKey action) {
    return row.key().equals(new BookingKey(scope, action));
  }

  /** Nobody knows whether it was booked; the carrier does, and makes sure. */
  private Decision.Answer<Shipment> annul(
      BookingKey booking, CancelReturnCommand command, Instant now) throws InterruptedException {
    Decision.Answer<Shipment> answer = Decision.reply(takenBack(command));
    return carrier
        .annul(booking, command.orderId())
        .map(
            number ->
                Shipment.booked(OutboxMessage.newId(), booking, command.orderId(), number, now)
                    .comingBackBy(command.returnId())
                    .cancelledAt(now))
        .map(answer::save)
        .orElse(answer);
  }

  /** The booking's own key, so that one booking is taken back once, whoever asks for it. */
  private Decision.Answer<Shipment> cancel(
      CancelReturnCommand command, Shipment shipment, Instant now) throws InterruptedException {
    carrier.cancel(shipment.key().cancellation(), shipment.orderId(), shipment.booking());
    return Decision.<Shipment>reply(takenBack(command)).save(shipment.cancelledAt(now));
  }

  private static ReturnCancelled takenBack(CancelReturnCommand command) {
    return new ReturnCancelled(command.returnId(), command.orderId());
  }
}
