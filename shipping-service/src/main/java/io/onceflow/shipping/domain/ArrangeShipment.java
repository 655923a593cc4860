package io.onceflow.shipping.domain;

import io.onceflow.core.StepKey;
import io.onceflow.inbox.Decision;
import io.onceflow.inbox.Found;
import io.onceflow.inbox.NotDone;
import io.onceflow.inbox.RowHandler;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.shipping.domain.Carrier.Outcome;
import io.onceflow.shipping.domain.ShipmentReply.ShipmentRejected;
import java.time.Instant;
import java.util.UUID;

/** Books an order's shipment; step key {@code <root key>:arrange-shipment}. */
public final class ArrangeShipment implements RowHandler<ArrangeShipmentCommand, Shipment> {

  static final String STEP = "arrange-shipment";

  private final Carrier carrier;

  /** Books by way of this carrier. */
  public ArrangeShipment(Carrier carrier) {
    this.carrier = carrier;
  }

  @Override
  public String type() {
    return "ArrangeShipment";
  }

  @Override
  public String step() {
    return STEP;
  }

  @Override
  public Class<ArrangeShipmentCommand> payload() {
    return ArrangeShipmentCommand.class;
  }

  @Override
  public UUID subject(ArrangeShipmentCommand command) {
    return command.orderId();
  }

  /**
   * A step of an orchestrator ships an order once. The same command again is the inbox's affair; a
   * shipment that is here already was arranged under another root key. Whoever asks is told what
   * became of that one, for an order's items and address never change.
   */
  @Override
  public Decision<Shipment> decide(
      ArrangeShipmentCommand command, Found<Shipment> found, Instant now) {
    return switch (found) {
      case Found.Nothing<Shipment>() ->
          Decision.callOut((scope, key) -> book(new BookingKey(scope, key), command, now));
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
  public ShipmentRejected notDone(ArrangeShipmentCommand command, NotDone why) {
    return new ShipmentRejected(command.orderId(), RejectReason.of(why));
  }

  private Decision.Answer<Shipment> book(
      BookingKey key, ArrangeShipmentCommand command, Instant now) throws InterruptedException {
    UUID id = OutboxMessage.newId();
    Shipment shipment =
        switch (carrier.book(key, command)) {
          case Outcome.Booked(String trackingNumber) ->
              Shipment.booked(id, key, command.orderId(), trackingNumber, now);
          case Outcome.Refused(RejectReason reason) ->
              Shipment.rejected(id, key, command.orderId(), reason, now);
        };
    return shipment.answer().save(shipment);
  }
}
