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
import io.onceflow.shipping.domain.ShipmentReply.ReturnCancelled;
import io.onceflow.shipping.domain.ShipmentReply.ReturnRejected;
import io.onceflow.shipping.domain.ShipmentReply.ShipmentCancelled;
import io.onceflow.shipping.domain.ShipmentReply.ShipmentRejected;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Has orders shipped by the carrier, and returns fetched; takes back what was booked. */
@ApplicationScoped
public class Shipments {

  private final Carrier carrier;
  private final Clock clock;

  @Inject
  Shipments(Carrier carrier) {
    this(carrier, Clock.systemUTC());
  }

  /**
   * @param carrier moves the parcels
   * @param clock by which shipments are dated
   */
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
    if (before.isPresent()) {
      return before.get().answer();
    }
    Shipment shipment = shipment(key, command.orderId(), carrier.book(key, command));
    return shipment.answer().save(shipment);
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
    Answer.Reply answer = Answer.done(nothingBooked(command));
    return shipment.isPresent()
        ? takeBack(shipment.get(), answer)
        : annul(booked, command.orderId()).map(answer::save).orElse(answer);
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
    if (before.isPresent()) {
      return before.get().answer();
    }
    Shipment back =
        shipment(key, command.orderId(), carrier.fetch(key, command))
            .comingBackBy(command.returnId());
    return back.answer().save(back);
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
    Answer.Reply answer = Answer.done(nothingToFetch(command));
    return shipment.isPresent()
        ? takeBack(shipment.get(), answer)
        : annul(booked, command.orderId())
            .map(annulled -> annulled.comingBackBy(command.returnId()))
            .map(answer::save)
            .orElse(answer);
  }

  @FallbackReply
  ReturnCancelled nothingToFetch(CancelReturn command) {
    return new ReturnCancelled(command.returnId(), command.orderId());
  }

  private static Optional<Shipment> ofSameStep(List<Shipment> shipments, CallKey key) {
    return shipments.stream().filter(shipment -> shipment.key().isOfSameStep(key)).findFirst();
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

  /** Under the booking's own cancellation key, so that one booking is taken back once. */
  private Answer takeBack(Shipment shipment, Answer.Reply answer) throws InterruptedException {
    if (!shipment.isBooked()) {
      return answer;
    }
    carrier.cancel(Carrier.cancellationOf(shipment.key()), shipment.orderId(), shipment.booking());
    return answer.save(shipment.cancelledAt(clock.instant()));
  }

  /** The result of the booking is unknown; the carrier settles it. */
  private Optional<Shipment> annul(CallKey booking, UUID orderId) throws InterruptedException {
    return carrier
        .annul(booking, orderId)
        .map(
            number ->
                Shipment.booked(OutboxMessage.newId(), booking, orderId, number, clock.instant())
                    .cancelledAt(clock.instant()));
  }
}
