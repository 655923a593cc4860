package io.onceflow.shipping.domain;

import io.onceflow.core.StepKey;
import io.onceflow.inbox.Decision;
import io.onceflow.inbox.Found;
import io.onceflow.inbox.NotDone;
import io.onceflow.inbox.RowHandler;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.shipping.domain.Carrier.Outcome;
import io.onceflow.shipping.domain.ShipmentReply.ReturnRejected;
import java.time.Instant;
import java.util.UUID;

/** Has an order fetched from its customer; step key {@code <root key>:arrange-return}. */
public final class ArrangeReturn implements RowHandler<ArrangeReturnCommand, Shipment> {

  static final String STEP = "arrange-return";

  private final Carrier carrier;

  /** Books by way of this carrier. */
  public ArrangeReturn(Carrier carrier) {
    this.carrier = carrier;
  }

  @Override
  public String type() {
    return "ArrangeReturn";
  }

  @Override
  public String step() {
    return STEP;
  }

  @Override
  public Class<ArrangeReturnCommand> payload() {
    return ArrangeReturnCommand.class;
  }

  /** The return, not the order: a refused return of an order may be followed by another. */
  @Override
  public UUID subject(ArrangeReturnCommand command) {
    return command.returnId();
  }

  /** A return is fetched once, like an order is shipped once; see {@link ArrangeShipment}. */
  @Override
  public Decision<Shipment> decide(
      ArrangeReturnCommand command, Found<Shipment> found, Instant now) {
    return switch (found) {
      case Found.Nothing<Shipment>() ->
          Decision.callOut((scope, key) -> fetch(new BookingKey(scope, key), command, now));
      case Found.Running<Shipment>() -> Decision.waitFor(STEP);
      case Found.InDoubt<Shipment>() -> throw new IllegalStateException("only what is undone is");
      case Found.Done<Shipment>(Shipment shipment) -> shipment.answer();
    };
  }

  /** Another orchestrator's subject may have the same id, and another step books something else. */
  @Override
  public boolean isAbout(Shipment row, String scope, StepKey action) {
    return row.isOfStep(action);
  }

  @Override
  public ReturnRejected notDone(ArrangeReturnCommand command, NotDone why) {
    return new ReturnRejected(command.returnId(), command.orderId(), RejectReason.of(why));
  }

  private Decision.Answer<Shipment> fetch(BookingKey key, ArrangeReturnCommand command, Instant now)
      throws InterruptedException {
    UUID id = OutboxMessage.newId();
    Shipment shipment =
        switch (carrier.fetch(key, command)) {
          case Outcome.Booked(String trackingNumber) ->
              Shipment.booked(id, key, command.orderId(), trackingNumber, now);
          case Outcome.Refused(RejectReason reason) ->
              Shipment.rejected(id, key, command.orderId(), reason, now);
        };
    Shipment back = shipment.comingBackBy(command.returnId());
    return back.answer().save(back);
  }
}
