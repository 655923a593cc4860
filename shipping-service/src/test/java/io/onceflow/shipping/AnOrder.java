package io.onceflow.shipping;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.StepKey;
import io.onceflow.participant.CallKey;
import io.onceflow.shipping.domain.ArrangeReturn;
import io.onceflow.shipping.domain.ArrangeShipment;
import io.onceflow.shipping.domain.ArrangeShipment.Address;
import io.onceflow.shipping.domain.ArrangeShipment.Item;
import io.onceflow.shipping.domain.CancelReturn;
import io.onceflow.shipping.domain.CancelShipment;
import io.onceflow.shipping.domain.Carrier;
import io.onceflow.shipping.domain.RejectReason;
import io.onceflow.shipping.domain.Shipment;
import io.onceflow.shipping.domain.ShipmentReply.ReturnArranged;
import io.onceflow.shipping.domain.ShipmentReply.ReturnCancelled;
import io.onceflow.shipping.domain.ShipmentReply.ReturnRejected;
import io.onceflow.shipping.domain.ShipmentReply.ShipmentArranged;
import io.onceflow.shipping.domain.ShipmentReply.ShipmentCancelled;
import io.onceflow.shipping.domain.ShipmentReply.ShipmentRejected;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

/** The order of the golden files, and what is said about it. */
final class AnOrder {

  static final UUID ID = UUID.fromString("0199c3a4-5f10-7c3e-9a51-3b2f6d8e4a01");
  static final UUID SHIPMENT_ID = UUID.fromString("0199c3a4-7030-7e22-9d55-63b2c1dae403");
  static final String TRACKING_NUMBER = "SIM-0199C3A47031";
  static final UUID RETURN = UUID.fromString("0199c3a4-8040-7f33-8e66-74c3d2ebf504");
  static final UUID RETURN_SHIPMENT_ID = UUID.fromString("0199c3a4-9050-7a44-9f77-85d4e3fc0605");
  static final String RETURN_TRACKING_NUMBER = "SIM-0199C3A49051";
  static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  private AnOrder() {}

  /** The handlers, with this carrier and a clock that stands still. */
  static Shipments shipments(Carrier carrier) {
    return new Shipments(carrier, Clock.fixed(NOW, ZoneOffset.UTC));
  }

  static ArrangeShipment arrangeShipment() {
    return new ArrangeShipment(ID, List.of(new Item("BOOK-42", 2)), address());
  }

  static Address address() {
    return new Address("Ada Lovelace", "12 St James's Square", "London", "SW1Y 4JH", "GB");
  }

  static CancelShipment cancelShipment() {
    return new CancelShipment(ID);
  }

  static ArrangeReturn arrangeReturn() {
    return new ArrangeReturn(RETURN, ID, List.of(new Item("BOOK-42", 2)), address());
  }

  static CancelReturn cancelReturn() {
    return new CancelReturn(RETURN, ID);
  }

  static ReturnArranged returnArranged() {
    return new ReturnArranged(RETURN, ID, RETURN_SHIPMENT_ID, RETURN_TRACKING_NUMBER);
  }

  static ReturnRejected returnRejected() {
    return new ReturnRejected(RETURN, ID, RejectReason.RETURNS_NOT_SERVED);
  }

  static ReturnCancelled returnCancelled() {
    return new ReturnCancelled(RETURN, ID);
  }

  static CallKey returnKey() {
    return new CallKey("alice", new StepKey(new IdempotencyKey("return-root"), "arrange-return"));
  }

  static Shipment returnBooked() {
    return Shipment.booked(RETURN_SHIPMENT_ID, returnKey(), ID, RETURN_TRACKING_NUMBER, NOW)
        .comingBackBy(RETURN);
  }

  static Shipment returnRefused() {
    return Shipment.rejected(
            RETURN_SHIPMENT_ID, returnKey(), ID, RejectReason.RETURNS_NOT_SERVED, NOW)
        .comingBackBy(RETURN);
  }

  static ShipmentArranged shipmentArranged() {
    return new ShipmentArranged(ID, SHIPMENT_ID, TRACKING_NUMBER);
  }

  static ShipmentRejected shipmentRejected() {
    return new ShipmentRejected(ID, RejectReason.COUNTRY_NOT_SERVED);
  }

  static ShipmentCancelled shipmentCancelled() {
    return new ShipmentCancelled(ID);
  }

  static StepKey arrangeKey() {
    return new StepKey(new IdempotencyKey("root"), "arrange-shipment");
  }

  static CallKey bookingKey() {
    return new CallKey("alice", arrangeKey());
  }

  static Shipment booked() {
    return Shipment.booked(SHIPMENT_ID, bookingKey(), ID, TRACKING_NUMBER, NOW);
  }

  static Shipment rejected() {
    return Shipment.rejected(SHIPMENT_ID, bookingKey(), ID, RejectReason.COUNTRY_NOT_SERVED, NOW);
  }
}
