package io.onceflow.shipping.carrier;

import io.onceflow.easypost.EasyPostLabels;
import io.onceflow.easypost.EasyPostRefundFailed;
import io.onceflow.easypost.LabelOutcome;
import io.onceflow.easypost.LabelOutcome.Why;
import io.onceflow.easypost.LabelRequest;
import io.onceflow.easypost.LabelRequest.Recipient;
import io.onceflow.participant.CallKey;
import io.onceflow.shipping.domain.ArrangeReturn;
import io.onceflow.shipping.domain.ArrangeShipment;
import io.onceflow.shipping.domain.ArrangeShipment.Address;
import io.onceflow.shipping.domain.Carrier;
import io.onceflow.shipping.domain.RejectReason;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Typed;
import java.util.Optional;
import java.util.UUID;

/** Ships by a carrier that EasyPost chooses: a booking is a label. */
@ApplicationScoped
@Typed(EasyPostCarrier.class)
class EasyPostCarrier implements Carrier {

  private final EasyPostLabels labels;

  EasyPostCarrier(EasyPostLabels labels) {
    this.labels = labels;
  }

  @Override
  public Outcome book(CallKey key, ArrangeShipment command) throws InterruptedException {
    return buy(key, command.orderId(), command.address(), RejectReason.COUNTRY_NOT_SERVED);
  }

  @Override
  public Outcome fetch(CallKey key, ArrangeReturn command) throws InterruptedException {
    return buy(key, command.orderId(), command.address(), RejectReason.RETURNS_NOT_SERVED);
  }

  private Outcome buy(CallKey key, UUID orderId, Address of, RejectReason notServed)
      throws InterruptedException {
    boolean isReturn = notServed == RejectReason.RETURNS_NOT_SERVED;
    Recipient customer =
        new Recipient(of.name(), of.line1(), of.city(), of.postalCode(), of.country());
    return switch (labels.buy(key, new LabelRequest(orderId.toString(), customer, isReturn))) {
      case LabelOutcome.Bought(String trackingCode) -> new Outcome.Booked(trackingCode);
      case LabelOutcome.GivenUp() -> new Outcome.Refused(RejectReason.CANCELLED);
      case LabelOutcome.Refused(Why why, String code) ->
          new Outcome.Refused(
              why == Why.ADDRESS_INVALID ? RejectReason.ADDRESS_INVALID : notServed);
    };
  }

  @Override
  public void cancel(CallKey key, UUID orderId, String trackingNumber) throws InterruptedException {
    try {
      labels.refund(trackingNumber, orderId.toString());
    } catch (EasyPostRefundFailed e) {
      throw new CancellationRefused(e.code(), e);
    }
  }

  @Override
  public Optional<String> annul(CallKey booking, UUID orderId) throws InterruptedException {
    try {
      return labels.annul(booking, orderId.toString());
    } catch (EasyPostRefundFailed e) {
      throw new CancellationRefused(e.code(), e);
    }
  }

  @Override
  public Optional<String> tracking(String trackingNumber) {
    return labels.trackingStatus(trackingNumber);
  }
}
