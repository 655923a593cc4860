package io.onceflow.stripe;

import com.stripe.exception.ApiException;
import com.stripe.exception.CardException;
import com.stripe.exception.IdempotencyException;
import com.stripe.exception.InvalidRequestException;
import com.stripe.exception.StripeException;
import com.stripe.model.PaymentIntent;
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
import org.jspecify.annotations.Nullable;

/**
 * Requests about refunds. The refunds of the charge are read first: Stripe forgets idempotency keys
 * after a day, but no refund. One that failed is not requested again by itself, since the customer
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
   * Refunds all of a charge as an operator has decided, though its refund has failed before.
   *
   * @return false where it is resolved, and so not asked for
   * @throws StripeRefundFailed if Stripe says that it cannot
   */
  boolean refundAgain(String key, String reference, String intent) {
    Stored refund = table.begin(key, reference, intent);
    if (refund.moneyWith() != null) {
      return false;
    }
    try {
      if (isMade(refund)) {
        return true;
      }
    } catch (StripeRefundFailed before) {
      refund = table.retry(key).orElseThrow(() -> before);
    }
    create(refund, true);
    return true;
  }

  /**
   * Whether Stripe has such a refund.
   *
   * @throws StripeRefundFailed if it has failed, and no operator has had it requested again
   */
  private boolean isMade(Stored refund) {
    List<Refund> all;
    try {
      all = of(stripe, refund.intent());
    } catch (StripeException e) {
      throw unavailable(refund, e);
    }
    List<Refund> ours =
        all.stream().filter(it -> refund.key().equals(metadata(it, StripeIntents.KEY))).toList();
    Optional<Refund> made = ours.stream().filter(StripeRefunds::isMade).findFirst();
    if (made.isPresent()) {
      table.succeeded(refund, made.get().getId());
      return true;
    }
    Optional<Refund> failed =
        ours.stream().filter(it -> !refund.retried().contains(it.getId())).findFirst();
    if (failed.isPresent() && isRefundedByHand(refund, all)) {
      table.refundedByHand(refund);
      return true;
    }
    failed.ifPresent(it -> requireMade(refund, it));
    return false;
  }

  /** Whether it gives the money back, as far as Stripe knows yet. */
  static boolean isMade(Refund refund) {
    return !FAILED.contains(String.valueOf(refund.getStatus()));
  }

  /** An operator may have refunded all of it in Stripe's dashboard after ours had failed. */
  private boolean isRefundedByHand(Stored refund, List<Refund> all) {
    long refunded = amountOf(all);
    if (refunded == 0) {
      return false;
    }
    try {
      PaymentIntent intent =
          stripe.call("read charge", it -> it.paymentIntents().retrieve(refund.intent()));
      return refunded >= intent.getAmountReceived();
    } catch (StripeException e) {
      throw unavailable(refund, e);
    }
  }

  /** What they give back, as Stripe counts it. */
  static long amountOf(List<Refund> refunds) {
    return refunds.stream().filter(StripeRefunds::isMade).mapToLong(Refund::getAmount).sum();
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
      table.refundedByHand(refund);
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
    Stored asked = table.begin(next.key(), next.reference(), next.intent());
    if (asked.moneyWith() == null) {
      create(asked, false);
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

  private void requireMade(Stored refund, Refund made) {
    if (!isMade(made)) {
      String code = codeOf(made);
      table.failed(refund.key(), refund.reference(), refund.intent(), made.getId(), code);
      throw new StripeRefundFailed(
          refund, code, "%s is %s".formatted(made.getId(), made.getStatus()));
    }
    table.succeeded(refund, made.getId());
  }

  /** What the metadata of a refund say; null where they do not. */
  static @Nullable String metadata(Refund refund, String name) {
    return refund.getMetadata() == null ? null : refund.getMetadata().get(name);
  }

  /** Why a refund has failed, in Stripe's word. */
  static String codeOf(Refund failed) {
    return Objects.requireNonNullElse(failed.getFailureReason(), "refund_failed");
  }

  private static StripeUnavailable unavailable(Stored refund, StripeException e) {
    return StripeErrors.unavailable("refund %s of %s".formatted(refund.key(), refund.intent()), e);
  }
}
