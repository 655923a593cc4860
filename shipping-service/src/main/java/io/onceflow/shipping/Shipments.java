package io.onceflow.shipping;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.participant.Answer;
import io.onceflow.participant.Answer.Rejection;
import io.onceflow.participant.CallKey;
import io.onceflow.participant.CallsOut;
import io.onceflow.participant.Handles;
import io.onceflow.participant.Handles.FallbackReply;
import io.onceflow.shipping.domain.ArrangeReturn;
import io.onceflow.shipping.domain.ArrangeShipment;
import io.onceflow.shipping.domain.CancelReturn;
import io.onceflow.shipping.domain.CancelShipment;
import io.onceflow.shipping.domain.Carrier;
import io.onceflow.shipping.domain.RejectReason;
import io.onceflow.shipping.domain.Shipment;
import io.onceflow.shipping.domain.ShipmentReply.CancellationDeclined;
import io.onceflow.shipping.domain.ShipmentReply.ReturnCancelled;
import io.onceflow.shipping.domain.ShipmentReply.ReturnRejected;
import io.onceflow.shipping.domain.ShipmentReply.ShipmentCancelled;
import io.onceflow.shipping.domain.ShipmentReply.ShipmentRejected;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;

/** Has orders shipped by the carrier, and returns fetched; takes back what was booked. */
@ApplicationScoped
public class Shipments {

  private static final Logger LOG = Logger.getLogger(Shipments.class);

  private final Carrier carrier;
  private final Clock clock;

  /** Shipments are dated by this clock. */
  public Shipments(Carrier carrier, Clock clock) {
    this.carrier = carrier;
    this.clock = clock;
  }

  /**
   * A step of an orchestrator ships an order once. A shipment that is here already was arranged
   * under another root key, and is the answer: an order's items and address never change.
   */
  @Handles
  @CallsOut
  Answer arrange(ArrangeShipment command, CallKey key, List<Shipment> ofOrder)
      throws InterruptedException {
    Optional<Shipment> before = ofSameStep(ofOrder, key);
    return before.isPresent()
        ? before.get().answer()
        : answer(shipment(key, command.orderId(), carrier.book(key, command)));
  }

  @FallbackReply
  ShipmentRejected notArranged(ArrangeShipment command, Rejection why) {
    return new ShipmentRejected(command.orderId(), RejectReason.of(why));
  }

  /** Takes back what the saga has booked for an order. */
  @Handles
  @CallsOut
  Answer cancel(CancelShipment command, CallKey own, CallKey booked, Optional<Shipment> shipment)
      throws InterruptedException {
    try {
      return takenBack(booked, command.orderId(), shipment)
          .map(Answer.done(nothingBooked(command))::save)
          .orElse(Answer.done(nothingBooked(command)));
    } catch (Carrier.CancellationRefused e) {
      return declined(command.orderId(), e);
    }
  }

  @FallbackReply
  ShipmentCancelled nothingBooked(CancelShipment command) {
    return new ShipmentCancelled(command.orderId());
  }

  /** Fetches a return once, like an order is shipped once; see {@link #arrange}. */
  @Handles
  @CallsOut
  Answer fetch(ArrangeReturn command, CallKey key, List<Shipment> ofReturn)
      throws InterruptedException {
    Optional<Shipment> before = ofSameStep(ofReturn, key);
    return before.isPresent()
        ? before.get().answer()
        : answer(
            shipment(key, command.orderId(), carrier.fetch(key, command))
                .comingBackBy(command.returnId()));
  }

  @FallbackReply
  ReturnRejected notFetched(ArrangeReturn command, Rejection why) {
    return new ReturnRejected(command.returnId(), command.orderId(), RejectReason.of(why));
  }

  /** Takes back what the saga has booked for a return. */
  @Handles
  @CallsOut
  Answer cancelReturn(
      CancelReturn command, CallKey own, CallKey booked, Optional<Shipment> shipment)
      throws InterruptedException {
    try {
      return takenBack(booked, command.orderId(), shipment)
          .map(back -> back.comingBackBy(command.returnId()))
          .map(Answer.done(nothingToFetch(command))::save)
          .orElse(Answer.done(nothingToFetch(command)));
    } catch (Carrier.CancellationRefused e) {
      return declined(command.orderId(), e);
    }
  }

  @FallbackReply
  ReturnCancelled nothingToFetch(CancelReturn command) {
    return new ReturnCancelled(command.returnId(), command.orderId());
  }

  /** An answer, not a failure: the calls for other bookings continue. */
  private static Answer declined(UUID orderId, Carrier.CancellationRefused why) {
    LOG.errorf("the booking of order %s is not cancelled: %s", orderId, why.getMessage());
    return Answer.refused(new CancellationDeclined(orderId, why.code()));
  }

  private static Optional<Shipment> ofSameStep(List<Shipment> shipments, CallKey key) {
    return shipments.stream().filter(shipment -> shipment.key().isOfSameStep(key)).findFirst();
  }

  private static Answer answer(Shipment shipment) {
    return shipment.answer().save(shipment);
  }

  private Shipment shipment(CallKey key, UUID orderId, Carrier.Outcome outcome) {
    UUID id = OutboxMessage.newId();
    return switch (outcome) {
      case Carrier.Outcome.Booked(String trackingNumber) ->
          Shipment.booked(id, key, orderId, trackingNumber, clock.instant());
      case Carrier.Outcome.Refused(RejectReason reason) ->
          Shipment.rejected(id, key, orderId, reason, clock.instant());
    };
  }

  /**
   * A booking is taken back once, under the key of its cancellation. Where its result is unknown,
   * the carrier settles it.
   */
  private Optional<Shipment> takenBack(CallKey key, UUID orderId, Optional<Shipment> shipment)
      throws InterruptedException {
    if (shipment.isEmpty()) {
      return carrier
          .annul(key, orderId)
          .map(it -> Shipment.booked(OutboxMessage.newId(), key, orderId, it, clock.instant()))
          .map(it -> it.cancelledAt(clock.instant()));
    }
    Shipment booked = shipment.get();
    if (!booked.isBooked()) {
      return Optional.empty();
    }
    carrier.cancel(Carrier.cancellationOf(booked.key()), orderId, booked.booking());
    return Optional.of(booked.cancelledAt(clock.instant()));
  }
}
