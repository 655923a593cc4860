package io.onceflow.stripe;

import com.stripe.exception.CardException;
import com.stripe.exception.IdempotencyException;
import com.stripe.exception.InvalidRequestException;
import com.stripe.exception.StripeException;
import com.stripe.model.PaymentIntent;
import com.stripe.net.RequestOptions;
import com.stripe.param.PaymentIntentCreateParams;
import com.stripe.param.PaymentIntentCreateParams.AutomaticPaymentMethods;
import com.stripe.param.PaymentIntentCreateParams.AutomaticPaymentMethods.AllowRedirects;
import com.stripe.param.PaymentIntentListParams;
import io.onceflow.participant.CallKey;
import io.onceflow.stripe.StripeRequests.Asked;
import io.onceflow.stripe.StripeRequests.Money;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Requests about payment intents, one each, with the step's key as Stripe's idempotency key, and
 * what Stripe's <a href="https://docs.stripe.com/api/errors">errors</a> mean.
 */
final class StripeIntents {

  /** Metadata of every object that is made here: the step's key. */
  static final String KEY = "onceflow_key";

  /** Metadata of every object that is made here: what is paid. */
  static final String REFERENCE = "onceflow_reference";

  /** Metadata of an intent that only keeps its key from being used. */
  static final String VOID = "onceflow_void";

  private static final Logger LOG = Logger.getLogger(StripeIntents.class);

  /** The most that Stripe lists in one page. */
  static final long PAGE = 100;

  /** Between our clock and Stripe's. */
  private static final Duration CLOCK_SKEW = Duration.ofMinutes(2);

  /** How much further our database's clock may be ahead of Stripe's before a charge is missed. */
  private static final Duration WRONG_CLOCK = Duration.ofHours(1);

  /** How long a request may be held up in transit before its charge is missed by a short look. */
  private static final Duration HELD_UP = Duration.ofHours(1);

  private final StripeCalls stripe;

  StripeIntents(StripeCalls stripe) {
    this.stripe = stripe;
  }

  /** The outcome of a request for a payment intent. */
  sealed interface Created {

    /** There is one; its status says more. */
    record Made(PaymentIntent intent) implements Created {}

    /** The customer is not charged. */
    record Refused(String code) implements Created {}

    /** Another request was made under the key. */
    record KeyUsed() implements Created {}
  }

  /**
   * Creates and confirms an intent.
   *
   * @param amount as Stripe counts it
   */
  Created charge(CallKey key, StripeCharge charge, long amount) {
    PaymentIntentCreateParams.Builder params =
        intent(key, charge.reference(), amount, charge.currency())
            .setPaymentMethod(charge.paymentMethod())
            .setConfirm(true);
    if (!charge.mayWait()) {
      params.setErrorOnRequiresAction(true);
    }
    return create(key, params.build());
  }

  /** Takes the key for an intent that charges nothing: no charge can be made under it any more. */
  Created takeKey(CallKey key, String reference, Money money) {
    return create(
        key,
        intent(key, reference, money.amount(), money.currency()).putMetadata(VOID, "true").build());
  }

  private static PaymentIntentCreateParams.Builder intent(
      CallKey key, String reference, long amount, String currency) {
    return PaymentIntentCreateParams.builder()
        .setAmount(amount)
        .setCurrency(currency.toLowerCase(Locale.ROOT))
        .setAutomaticPaymentMethods(
            AutomaticPaymentMethods.builder()
                .setEnabled(true)
                .setAllowRedirects(AllowRedirects.NEVER)
                .build())
        .putMetadata(KEY, key.value())
        .putMetadata(REFERENCE, reference);
  }

  private Created create(CallKey key, PaymentIntentCreateParams params) {
    try {
      return new Created.Made(
          stripe.call("charge", it -> it.paymentIntents().create(params, under(key.value()))));
    } catch (CardException e) {
      return new Created.Refused(
          Objects.requireNonNullElse(
              e.getDeclineCode(), Objects.requireNonNullElse(e.getCode(), "card_declined")));
    } catch (IdempotencyException e) {
      return new Created.KeyUsed();
    } catch (InvalidRequestException e) {
      LOG.warnf(
          "Stripe refused a payment intent under %s as invalid (%s, request %s): %s; nothing was charged",
          key, e.getCode(), e.getRequestId(), e.getMessage());
      return new Created.Refused(Objects.requireNonNullElse(e.getCode(), "invalid_request"));
    } catch (StripeException e) {
      throw StripeErrors.unavailable("charge " + key, e);
    }
  }

  /**
   * The intents that were made under a key, found by their metadata in the list of those made since
   * the key was first used: a request that was not answered may be carried out later. The list is
   * complete at any time, which Stripe's search is not.
   */
  List<PaymentIntent> find(CallKey key, Asked asked) {
    return find(key, created().setGte(beginOf(asked)).build());
  }

  private List<PaymentIntent> find(CallKey key, PaymentIntentListParams.Created created) {
    PaymentIntentListParams.Builder window =
        PaymentIntentListParams.builder().setCreated(created).setLimit(PAGE);
    List<PaymentIntent> found = new ArrayList<>();
    try {
      StripePages.read(
          last ->
              stripe.call(
                  "find charge",
                  it -> it.paymentIntents().list(window.setStartingAfter(last).build())),
          intent -> {
            if (key.value().equals(intent.getMetadata().get(KEY))) {
              found.add(intent);
            }
          });
      return found;
    } catch (StripeException e) {
      throw StripeErrors.unavailable("looking for the charge " + key, e);
    }
  }

  /**
   * The intent of a charge that was made under a key: it is looked for among those made while the
   * charge was asked for, and only then among all that were made later, and those before, should
   * our clock be wrong.
   */
  Optional<PaymentIntent> findCharge(CallKey key, Asked asked) {
    return findChargeAsAsked(key, asked)
        .or(() -> charge(find(key, created().setGte(endOf(asked) + 1).build())))
        .or(() -> findChargeBefore(key, asked));
  }

  /**
   * The same, but of those that were made later only the first hour's are looked through: on an
   * account with many payments all of them take longer than a call may.
   */
  Optional<PaymentIntent> findChargeNearby(CallKey key, Asked asked) {
    long end = endOf(asked);
    long late = end + HELD_UP.toSeconds();
    return findChargeAsAsked(key, asked)
        .or(() -> charge(find(key, created().setGte(end + 1).setLte(late).build())))
        .or(() -> findChargeBefore(key, asked));
  }

  private Optional<PaymentIntent> findChargeBefore(CallKey key, Asked asked) {
    long begin = beginOf(asked);
    long before = begin - WRONG_CLOCK.toSeconds();
    return charge(find(key, created().setGte(before).setLte(begin - 1).build()));
  }

  /** The same, but for a charge that was made later or before: that one is not looked for. */
  Optional<PaymentIntent> findChargeAsAsked(CallKey key, Asked asked) {
    return charge(find(key, created().setGte(beginOf(asked)).setLte(endOf(asked)).build()));
  }

  private static Optional<PaymentIntent> charge(List<PaymentIntent> made) {
    return made.stream().filter(intent -> !isVoid(intent)).findFirst();
  }

  private static PaymentIntentListParams.Created.Builder created() {
    return PaymentIntentListParams.Created.builder();
  }

  private static long beginOf(Asked asked) {
    return asked.first().minus(CLOCK_SKEW).getEpochSecond();
  }

  private static long endOf(Asked asked) {
    return asked.last().plus(CLOCK_SKEW).getEpochSecond();
  }

  static boolean isVoid(PaymentIntent intent) {
    return intent.getMetadata().containsKey(VOID);
  }

  /** Reads an intent: a repeat under the key would be answered with the intent's first state. */
  PaymentIntent read(String intent) {
    try {
      return stripe.call("read charge", it -> it.paymentIntents().retrieve(intent));
    } catch (StripeException e) {
      throw StripeErrors.unavailable("reading " + intent, e);
    }
  }

  /**
   * Cancels an intent.
   *
   * @return whether it is cancelled; else its status does not allow it, or has changed meanwhile
   */
  boolean cancel(PaymentIntent intent) {
    try {
      stripe.call("cancel charge", it -> it.paymentIntents().cancel(intent.getId()));
      return true;
    } catch (InvalidRequestException e) {
      return false;
    } catch (StripeException e) {
      throw StripeErrors.unavailable("cancelling " + intent.getId(), e);
    }
  }

  static RequestOptions under(String key) {
    return RequestOptions.builder().setIdempotencyKey(key).build();
  }
}
