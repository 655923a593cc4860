package io.onceflow.stripe;

import com.stripe.exception.StripeException;
import com.stripe.model.Charge;
import com.stripe.model.PaymentIntent;
import com.stripe.model.Refund;
import com.stripe.param.PaymentIntentListParams;
import com.stripe.param.RefundListParams;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stripe's lists of payments and refunds, newest first, for a comparison with the books here. A
 * page of a hundred is in memory at a time. The lists are complete at any time, which Stripe's
 * search is not.
 */
@Singleton
public class StripeList {

  private final StripeCalls stripe;

  @Inject
  StripeList(StripeClients clients) {
    this(clients.calls());
  }

  StripeList(StripeCalls stripe) {
    this.stripe = stripe;
  }

  /**
   * Reads the payment intents that were created in a time, those that only keep a key from being
   * used excepted.
   *
   * @param from inclusive, in whole seconds
   * @param before exclusive, in whole seconds
   * @throws StripeUnavailable if Stripe does not answer; some may have been read
   */
  public void charges(Instant from, Instant before, Consumer<ListedCharge> reader) {
    PaymentIntentListParams.Builder params =
        PaymentIntentListParams.builder()
            .setCreated(
                PaymentIntentListParams.Created.builder()
                    .setGte(from.getEpochSecond())
                    .setLt(before.getEpochSecond())
                    .build())
            .addExpand("data.latest_charge")
            .setLimit(StripeIntents.PAGE);
    try {
      StripePages.read(
          last ->
              stripe.call(
                  "list charges",
                  it -> it.paymentIntents().list(params.setStartingAfter(last).build())),
          intent -> {
            if (!StripeIntents.isVoid(intent)) {
              reader.accept(listed(intent));
            }
          });
    } catch (StripeException e) {
      throw StripeErrors.unavailable("the list of charges from " + from, e);
    }
  }

  private static ListedCharge listed(PaymentIntent intent) {
    String currency = intent.getCurrency().toUpperCase(Locale.ROOT);
    @Nullable Charge charge = intent.getLatestChargeObject();
    return new ListedCharge(
        intent.getId(),
        intent.getMetadata().get(StripeIntents.KEY),
        intent.getMetadata().get(StripeIntents.REFERENCE),
        intent.getStatus(),
        StripeAmounts.fromStripe(intent.getAmountReceived(), currency),
        charge == null ? 0 : StripeAmounts.fromStripe(charge.getAmountRefunded(), currency),
        currency,
        Instant.ofEpochSecond(intent.getCreated()));
  }

  /**
   * Reads the refunds that were created in a time.
   *
   * @param from inclusive, in whole seconds
   * @param before exclusive, in whole seconds
   * @throws StripeUnavailable if Stripe does not answer; some may have been read
   */
  public void refunds(Instant from, Instant before, Consumer<ListedRefund> reader) {
    RefundListParams.Builder params =
        RefundListParams.builder()
            .setCreated(
                RefundListParams.Created.builder()
                    .setGte(from.getEpochSecond())
                    .setLt(before.getEpochSecond())
                    .build())
            .setLimit(StripeIntents.PAGE);
    try {
      StripePages.read(
          last ->
              stripe.call(
                  "list refunds", it -> it.refunds().list(params.setStartingAfter(last).build())),
          refund -> reader.accept(listed(refund)));
    } catch (StripeException e) {
      throw StripeErrors.unavailable("the list of refunds from " + from, e);
    }
  }

  private static ListedRefund listed(Refund refund) {
    String currency = refund.getCurrency().toUpperCase(Locale.ROOT);
    @Nullable Map<String, String> metadata = refund.getMetadata();
    return new ListedRefund(
        refund.getId(),
        refund.getPaymentIntent(),
        metadata == null ? null : metadata.get(StripeIntents.KEY),
        refund.getStatus(),
        StripeAmounts.fromStripe(refund.getAmount(), currency),
        currency,
        Instant.ofEpochSecond(refund.getCreated()));
  }
}
