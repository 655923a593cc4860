package io.onceflow.payment.stripe;

import com.stripe.StripeClient;
import com.stripe.exception.ApiException;
import com.stripe.exception.AuthenticationException;
import com.stripe.exception.CardException;
import com.stripe.exception.IdempotencyException;
import com.stripe.exception.InvalidRequestException;
import com.stripe.exception.PermissionException;
import com.stripe.exception.StripeException;
import com.stripe.model.PaymentIntent;
import com.stripe.model.Refund;
import com.stripe.net.RequestOptions;
import com.stripe.param.PaymentIntentCreateParams;
import com.stripe.param.PaymentIntentCreateParams.AutomaticPaymentMethods;
import com.stripe.param.PaymentIntentCreateParams.AutomaticPaymentMethods.AllowRedirects;
import com.stripe.param.PaymentIntentListParams;
import com.stripe.param.RefundCreateParams;
import com.stripe.param.RefundListParams;
import io.onceflow.participant.CallKey;
import io.onceflow.payment.domain.DeclineReason;
import io.onceflow.payment.stripe.StripeRequests.Asked;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * The requests to Stripe, one each, under our key as Stripe's, and what their <a
 * href="https://docs.stripe.com/api/errors">errors</a> mean. The version of the API is that of the
 * client library, which sends it with each request.
 */
final class StripeApi {

  /** In the metadata of all that is made here. */
  static final String KEY = "onceflow_key";

  static final String ORDER = "onceflow_order";

  /** In the metadata of an intent that only keeps its key from being used. */
  static final String VOID = "onceflow_void";

  private static final Logger LOG = Logger.getLogger(StripeApi.class);

  /** The most that Stripe lists at once. */
  private static final long PAGE = 100;

  /** Between our clock and Stripe's. */
  private static final Duration CLOCK_SKEW = Duration.ofMinutes(2);

  private final StripeClient stripe;

  StripeApi(StripeConfig config) {
    stripe =
        StripeClient.builder()
            .setApiKey(
                config
                    .apiKey()
                    .orElseThrow(
                        () ->
                            new IllegalStateException(
                                "onceflow.gateway=stripe needs onceflow.stripe.api-key"
                                    + " (ONCEFLOW_STRIPE_API_KEY), a secret key of Stripe's")))
            .setApiBase(config.url())
            .setConnectTimeout((int) config.connectTimeout().toMillis())
            .setReadTimeout((int) config.readTimeout().toMillis())
            // Attempts are counted, spaced and bounded by the inbox.
            .setMaxNetworkRetries(0)
            .build();
  }

  /** What a request for a payment intent came to. */
  sealed interface Created {

    /** There is one; its status says more. */
    record Made(PaymentIntent intent) implements Created {}

    /** The customer is not charged. */
    record Refused(DeclineReason reason) implements Created {}

    /** Another request was made under the key. */
    record KeyUsed() implements Created {}
  }

  /** Charges. */
  Created charge(CallKey key, UUID orderId, long amount, String currency, String paymentMethod) {
    return create(
        key,
        intent(key, orderId, amount, currency)
            .setPaymentMethod(paymentMethod)
            .setConfirm(true)
            .setErrorOnRequiresAction(true)
            .build());
  }

  /** Takes the key for an intent that charges nothing: no charge can be made under it any more. */
  Created takeKey(CallKey key, UUID orderId) {
    return create(key, intent(key, orderId, 100, "EUR").putMetadata(VOID, "true").build());
  }

  private static PaymentIntentCreateParams.Builder intent(
      CallKey key, UUID orderId, long amount, String currency) {
    return PaymentIntentCreateParams.builder()
        .setAmount(amount)
        .setCurrency(currency.toLowerCase(Locale.ROOT))
        .setAutomaticPaymentMethods(
            AutomaticPaymentMethods.builder()
                .setEnabled(true)
                .setAllowRedirects(AllowRedirects.NEVER)
                .build())
        .putMetadata(KEY, key.value())
        .putMetadata(ORDER, orderId.toString());
  }

  private Created create(CallKey key, PaymentIntentCreateParams params) {
    try {
      return new Created.Made(stripe.v1().paymentIntents().create(params, under(key.value())));
    } catch (CardException e) {
      return new Created.Refused(reasonOf(e));
    } catch (IdempotencyException e) {
      return new Created.KeyUsed();
    } catch (InvalidRequestException e) {
      LOG.warnf(
          "Stripe refuses the charge %s as invalid (%s, request %s): %s; declined",
          key, e.getCode(), e.getRequestId(), e.getMessage());
      return new Created.Refused(DeclineReason.CARD_DECLINED);
    } catch (StripeException e) {
      throw unavailable("charge " + key, e);
    }
  }

  private static DeclineReason reasonOf(CardException e) {
    return "insufficient_funds".equals(e.getDeclineCode())
        ? DeclineReason.INSUFFICIENT_FUNDS
        : DeclineReason.CARD_DECLINED;
  }

  /**
   * The intents that were made under a key, found by their metadata in the list of those made while
   * the key was used. The list is complete at any time, which Stripe's search is not.
   */
  List<PaymentIntent> find(CallKey key, Asked asked) {
    PaymentIntentListParams window =
        PaymentIntentListParams.builder()
            .setCreated(
                PaymentIntentListParams.Created.builder()
                    .setGte(asked.first().minus(CLOCK_SKEW).getEpochSecond())
                    .setLte(asked.last().plus(CLOCK_SKEW).getEpochSecond())
                    .build())
            .setLimit(PAGE)
            .build();
    List<PaymentIntent> found = new ArrayList<>();
    try {
      for (PaymentIntent intent : stripe.v1().paymentIntents().list(window).autoPagingIterable()) {
        if (key.value().equals(intent.getMetadata().get(KEY))) {
          found.add(intent);
        }
      }
      return found;
    } catch (StripeException e) {
      throw unavailable("looking for the charge " + key, e);
    }
  }

  /**
   * Cancels an intent.
   *
   * @return whether it is cancelled; else its status has changed meanwhile
   */
  boolean cancel(PaymentIntent intent) {
    try {
      stripe.v1().paymentIntents().cancel(intent.getId());
      return true;
    } catch (InvalidRequestException e) {
      return false;
    } catch (StripeException e) {
      throw unavailable("cancelling " + intent.getId(), e);
    }
  }

  /**
   * Gives all of a charge back.
   *
   * @throws StripeRefundFailed if Stripe says that it cannot
   */
  void refund(CallKey key, UUID orderId, String intent) {
    RefundCreateParams params =
        RefundCreateParams.builder()
            .setPaymentIntent(intent)
            .putMetadata(KEY, key.value())
            .putMetadata(ORDER, orderId.toString())
            .build();
    try {
      require(key, stripe.v1().refunds().create(params, under(key.value())));
    } catch (InvalidRequestException e) {
      if (!"charge_already_refunded".equals(e.getCode())) {
        throw unavailable("refund %s of %s".formatted(key, intent), e);
      }
      LOG.infof("%s had been given back to the customer before %s", intent, key);
    } catch (ApiException e) {
      refundAfterError(key, intent, params, e);
    } catch (StripeException e) {
      throw unavailable("refund %s of %s".formatted(key, intent), e);
    }
  }

  /**
   * Stripe answers a key with its first answer for a day, an error of its own too. Whether there is
   * a refund the list says; if not, another key is taken, which is safe: nothing is given back
   * twice, since all of the charge is, and Stripe gives back no more than that.
   */
  private void refundAfterError(
      CallKey key, String intent, RefundCreateParams params, ApiException error) {
    try {
      List<Refund> made =
          stripe
              .v1()
              .refunds()
              .list(RefundListParams.builder().setPaymentIntent(intent).build())
              .getData();
      for (Refund refund : made) {
        if (key.value().equals(refund.getMetadata().get(KEY))) {
          require(key, refund);
          return;
        }
      }
      require(key, stripe.v1().refunds().create(params, under(key.value() + "-again")));
    } catch (InvalidRequestException e) {
      if (!"charge_already_refunded".equals(e.getCode())) {
        throw unavailable("refund %s of %s".formatted(key, intent), error);
      }
    } catch (StripeException e) {
      throw unavailable("refund %s of %s".formatted(key, intent), e);
    }
  }

  private static void require(CallKey key, Refund refund) {
    String status = refund.getStatus();
    if ("failed".equals(status) || "canceled".equals(status)) {
      throw new StripeRefundFailed(
          "the refund %s (%s) is %s: %s"
              .formatted(refund.getId(), key, status, refund.getFailureReason()));
    }
  }

  private static RequestOptions under(String key) {
    return RequestOptions.builder().setIdempotencyKey(key).build();
  }

  private static StripeUnavailable unavailable(String what, StripeException e) {
    if (e instanceof AuthenticationException || e instanceof PermissionException) {
      LOG.errorf(
          "Stripe refuses our key (request %s): %s; set onceflow.stripe.api-key to one that may"
              + " write payment intents and refunds",
          e.getRequestId(), e.getMessage());
    }
    return new StripeUnavailable(
        "%s was answered %s %s (request %s)"
            .formatted(what, e.getStatusCode(), e.getCode(), e.getRequestId()),
        e);
  }
}
