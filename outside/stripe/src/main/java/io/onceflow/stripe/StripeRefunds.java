package io.onceflow.stripe;

import com.stripe.exception.ApiException;
import com.stripe.exception.InvalidRequestException;
import com.stripe.exception.StripeException;
import com.stripe.model.Refund;
import com.stripe.param.RefundCreateParams;
import com.stripe.param.RefundListParams;
import io.onceflow.participant.CallKey;
import java.util.ArrayList;
import java.util.List;
import org.jboss.logging.Logger;

/** Requests about refunds, with the refund's key as Stripe's idempotency key. */
final class StripeRefunds {

  private static final Logger LOG = Logger.getLogger(StripeRefunds.class);

  private final StripeCalls stripe;

  StripeRefunds(StripeCalls stripe) {
    this.stripe = stripe;
  }

  /**
   * Refunds all of a charge.
   *
   * @throws StripeRefundFailed if Stripe says that it cannot
   */
  void refund(CallKey key, String reference, String intent) {
    RefundCreateParams params =
        RefundCreateParams.builder()
            .setPaymentIntent(intent)
            .putMetadata(StripeIntents.KEY, key.value())
            .putMetadata(StripeIntents.REFERENCE, reference)
            .build();
    try {
      require(key, create(key.value(), params));
    } catch (InvalidRequestException e) {
      requireRefunded(key, intent, e);
    } catch (ApiException e) {
      refundAfterError(key, intent, params, e);
    } catch (StripeException e) {
      throw unavailable(key, intent, e);
    }
  }

  private Refund create(String key, RefundCreateParams params) throws StripeException {
    return stripe.call("refund", it -> it.refunds().create(params, StripeIntents.under(key)));
  }

  private static void requireRefunded(CallKey key, String intent, InvalidRequestException e) {
    if (!"charge_already_refunded".equals(e.getCode())) {
      throw unavailable(key, intent, e);
    }
    LOG.infof("%s had been refunded before %s", intent, key);
  }

  /**
   * Stripe answers a key with its first answer for a day, an error of its own too. The list says
   * whether there is a refund; if not, another key is taken. That cannot refund twice: each refund
   * is of all of the charge, and Stripe refunds no more than that.
   */
  private void refundAfterError(
      CallKey key, String intent, RefundCreateParams params, ApiException error) {
    if (StripeCalls.isConflict(error)) {
      throw unavailable(key, intent, error);
    }
    try {
      for (Refund refund : of(stripe, intent)) {
        if (key.value().equals(refund.getMetadata().get(StripeIntents.KEY))) {
          require(key, refund);
          return;
        }
      }
      require(key, create(key.value() + "-again", params));
    } catch (InvalidRequestException e) {
      requireRefunded(key, intent, e);
    } catch (StripeException e) {
      throw unavailable(key, intent, e);
    }
  }

  /** All refunds of a charge, of which there may be more than a page. */
  static List<Refund> of(StripeCalls stripe, String intent) throws StripeException {
    RefundListParams.Builder ofIntent =
        RefundListParams.builder().setPaymentIntent(intent).setLimit(StripeIntents.PAGE);
    List<Refund> refunds = new ArrayList<>();
    StripePages.read(
        last ->
            stripe.call(
                "find refund", it -> it.refunds().list(ofIntent.setStartingAfter(last).build())),
        refunds::add);
    return refunds;
  }

  private static void require(CallKey key, Refund refund) {
    String status = refund.getStatus();
    if ("failed".equals(status) || "canceled".equals(status)) {
      throw new StripeRefundFailed(
          "the refund %s (%s) is %s: %s"
              .formatted(refund.getId(), key, status, refund.getFailureReason()));
    }
  }

  private static StripeUnavailable unavailable(CallKey key, String intent, StripeException e) {
    return StripeErrors.unavailable("refund %s of %s".formatted(key, intent), e);
  }
}
