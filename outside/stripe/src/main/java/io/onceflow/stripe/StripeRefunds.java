package io.onceflow.stripe;

import com.stripe.exception.ApiException;
import com.stripe.exception.CardException;
import com.stripe.exception.IdempotencyException;
import com.stripe.exception.InvalidRequestException;
import com.stripe.exception.StripeException;
import com.stripe.model.Refund;
import com.stripe.param.RefundCreateParams;
import com.stripe.param.RefundListParams;
import io.onceflow.stripe.StripeRefundTable.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jboss.logging.Logger;

/**
 * Requests about refunds. The refunds of the charge are read first: Stripe forgets idempotency keys
 * after a day, but no refund. One that failed is not asked for again by itself, since the customer
 * may have been paid in another way meanwhile.
 *
 * <p>Stripe answers an idempotency key with its first answer for a day, an error too. So an error
 * uses the key up, and the next request is made under another one. That cannot refund twice: each
 * refund is of all that is left of the charge, and Stripe refunds no more than that.
 */
final class StripeRefunds {

  /** Of a refund that gives no money back. */
  static final Set<String> FAILED = Set.of("failed", "canceled");

  private static final Logger LOG = Logger.getLogger(StripeRefunds.class);

  private final StripeCalls stripe;
  private final StripeRefundTable table;

  StripeRefunds(StripeCalls stripe, StripeRefundTable table) {
    this.stripe = stripe;
    this.table = table;
  }

  /**
   * Refunds all of a charge, or does nothing where an operator has resolved it.
   *
   * @throws StripeRefundFailed if Stripe says that it cannot
   */
  void refund(String key, String reference, String intent) {
    Stored refund = table.begin(key, reference, intent);
    if (refund.moneyWith() != null) {
      LOG.infof(
          "the refund %s of %s is resolved, money with %s: not asked for",
          key, reference, refund.moneyWith());
      return;
    }
    if (!isMade(refund)) {
      create(refund, true);
    }
  }

  /**
   * Whether Stripe has such a refund.
   *
   * @throws StripeRefundFailed if it has failed, and no operator has had it asked for again
   */
  private boolean isMade(Stored refund) {
    List<Refund> ours;
    try {
      ours =
          of(stripe, refund.intent()).stream()
              .filter(it -> refund.key().equals(it.getMetadata().get(StripeIntents.KEY)))
              .toList();
    } catch (StripeException e) {
      throw unavailable(refund, e);
    }
    Optional<Refund> made =
        ours.stream().filter(it -> !FAILED.contains(String.valueOf(it.getStatus()))).findFirst();
    if (made.isPresent()) {
      table.succeeded(refund, made.get().getId());
      return true;
    }
    ours.stream()
        .filter(it -> !refund.retried().contains(it.getId()))
        .findFirst()
        .ifPresent(failed -> requireMade(refund, failed));
    return false;
  }

  private void create(Stored refund, boolean again) {
    RefundCreateParams params =
        RefundCreateParams.builder()
            .setPaymentIntent(refund.intent())
            .putMetadata(StripeIntents.KEY, refund.key())
            .putMetadata(StripeIntents.REFERENCE, refund.reference())
            .build();
    try {
      requireMade(
          refund,
          stripe.call(
              "refund",
              it -> it.refunds().create(params, StripeIntents.under(refund.idempotencyKey()))));
    } catch (InvalidRequestException | CardException | IdempotencyException e) {
      refused(refund, e);
    } catch (ApiException e) {
      createAfterError(refund, e, again);
    } catch (StripeException e) {
      throw unavailable(refund, e);
    }
  }

  private void refused(Stored refund, StripeException e) {
    if (StripeCalls.isConflict(e)) {
      throw unavailable(refund, e);
    }
    String code = Objects.requireNonNullElse(e.getCode(), "refund_refused");
    if (code.equals("charge_already_refunded")) {
      LOG.infof("%s had been refunded before %s", refund.intent(), refund.key());
      table.succeeded(refund, "");
      return;
    }
    table.keyUsedUp(refund, code);
    throw new StripeRefundFailed(refund, code, e.getMessage());
  }

  /** The refund may have been made behind the error; if not, another key is taken. */
  private void createAfterError(Stored refund, ApiException error, boolean again) {
    if (StripeCalls.isConflict(error)) {
      throw unavailable(refund, error);
    }
    Stored next = table.keyUsedUp(refund, "api_error");
    if (isMade(next)) {
      return;
    }
    if (!again) {
      throw unavailable(refund, error);
    }
    create(next, false);
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

  private void requireMade(Stored refund, Refund made) {
    if (FAILED.contains(String.valueOf(made.getStatus()))) {
      String code = Objects.requireNonNullElse(made.getFailureReason(), "refund_failed");
      table.failed(refund, made.getId(), code);
      throw new StripeRefundFailed(
          refund, code, "%s is %s".formatted(made.getId(), made.getStatus()));
    }
    table.succeeded(refund, made.getId());
  }

  private static StripeUnavailable unavailable(Stored refund, StripeException e) {
    return StripeErrors.unavailable("refund %s of %s".formatted(refund.key(), refund.intent()), e);
  }
}
