package io.onceflow.payment.stripe;

import com.stripe.model.PaymentIntent;
import com.stripe.model.StripeError;
import io.onceflow.participant.CallKey;
import io.onceflow.payment.domain.DeclineReason;
import io.onceflow.payment.domain.PaymentGateway;
import io.onceflow.payment.domain.ProcessPayment;
import io.onceflow.payment.stripe.StripeApi.Created;
import io.onceflow.payment.stripe.StripeRequests.Asked;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Moves the money by Stripe. A charge is a payment intent, created and confirmed in one request
 * under the step's key.
 *
 * <p>Stripe answers a key the same for at least 24 hours, whatever the first answer was, an error
 * of its own too, and may have charged behind that. So where a repeat under the key does not tell
 * what happened, or the key may be forgotten, the intent is looked for by the key in its metadata.
 */
@ApplicationScoped
@Typed(StripeGateway.class)
public class StripeGateway implements PaymentGateway {

  /** Stripe forgets keys after 24 hours at the earliest. */
  private static final Duration KEY_LIFE = Duration.ofHours(23);

  /** An intent's status may change while it is looked at, but not often. */
  private static final int LOOKS = 3;

  private final StripeConfig config;
  private final StripeRequests requests;
  private final Clock clock;
  private final StripeApi stripe;

  @Inject
  StripeGateway(StripeConfig config, StripeRequests requests) {
    this(config, requests, Clock.systemUTC());
  }

  StripeGateway(StripeConfig config, StripeRequests requests, Clock clock) {
    this.config = config;
    this.requests = requests;
    this.clock = clock;
    this.stripe = new StripeApi(config);
  }

  @Override
  public Outcome charge(CallKey key, ProcessPayment command) {
    OptionalLong amount = StripeAmounts.toStripe(command.amount(), command.currency());
    if (amount.isEmpty()) {
      return new Outcome.Declined(DeclineReason.CARD_DECLINED);
    }
    Optional<Asked> asked = requests.ask(key, command.orderId());
    if (asked.isEmpty()) {
      return new Outcome.Declined(DeclineReason.CANCELLED);
    }
    if (mayBeForgotten(asked.get())) {
      Optional<PaymentIntent> made = find(key, asked.get());
      if (made.isPresent()) {
        return outcomeOf(key, made.get());
      }
    }
    return charge(key, command, amount.getAsLong(), asked.get());
  }

  private boolean mayBeForgotten(Asked asked) {
    return asked.first().plus(KEY_LIFE).isBefore(clock.instant());
  }

  private Outcome charge(CallKey key, ProcessPayment command, long amount, Asked asked) {
    try {
      Created created =
          stripe.charge(
              key, command.orderId(), amount, command.currency(), command.paymentMethod());
      return switch (created) {
        case Created.Made(PaymentIntent intent) -> outcomeOf(key, intent);
        case Created.Refused(DeclineReason reason) -> new Outcome.Declined(reason);
        case Created.KeyUsed() -> outcomeOfUsed(key, asked);
      };
    } catch (StripeUnavailable e) {
      if (!asked.isRepeat()) {
        throw e;
      }
      // The answer of the first request may have been an error, which the key repeats.
      return find(key, asked).map(intent -> outcomeOf(key, intent)).orElseThrow(() -> e);
    }
  }

  private Outcome outcomeOfUsed(CallKey key, Asked asked) {
    List<PaymentIntent> made = stripe.find(key, asked);
    if (made.stream().anyMatch(StripeGateway::isVoid)) {
      return new Outcome.Declined(DeclineReason.CANCELLED);
    }
    return made.stream()
        .findFirst()
        .map(intent -> outcomeOf(key, intent))
        .orElseThrow(
            () ->
                new StripeUnavailable(
                    "%s was used for another request, and no payment intent has it"
                        .formatted(key)));
  }

  private Optional<PaymentIntent> find(CallKey key, Asked asked) {
    return stripe.find(key, asked).stream().filter(intent -> !isVoid(intent)).findFirst();
  }

  private static boolean isVoid(PaymentIntent intent) {
    return intent.getMetadata().containsKey(StripeApi.VOID);
  }

  private Outcome outcomeOf(CallKey key, PaymentIntent intent) {
    return switch (intent.getStatus()) {
      case "succeeded" -> new Outcome.Charged(intent.getId());
      case "canceled" -> new Outcome.Declined(DeclineReason.CANCELLED);
      case "requires_payment_method" -> new Outcome.Declined(reasonOf(intent));
      case "requires_action", "requires_confirmation", "requires_capture" -> refuse(key, intent);
      default -> throw undecided(key, intent);
    };
  }

  private static DeclineReason reasonOf(PaymentIntent intent) {
    StripeError error = intent.getLastPaymentError();
    return error != null && "insufficient_funds".equals(error.getDeclineCode())
        ? DeclineReason.INSUFFICIENT_FUNDS
        : DeclineReason.CARD_DECLINED;
  }

  /** What only the customer can finish, who is not there. */
  private Outcome refuse(CallKey key, PaymentIntent intent) {
    if (!stripe.cancel(intent)) {
      throw undecided(key, intent);
    }
    return new Outcome.Declined(DeclineReason.CARD_DECLINED);
  }

  private static StripeUnavailable undecided(CallKey key, PaymentIntent intent) {
    return new StripeUnavailable(
        "the charge %s (%s) is %s".formatted(key, intent.getId(), intent.getStatus()));
  }

  @Override
  public void refund(CallKey key, UUID orderId, String charge, long amount) {
    stripe.refund(key, orderId, charge);
  }

  @Override
  public Optional<Annulled> annul(CallKey charge, UUID orderId) {
    Optional<Asked> asked = requests.giveUp(charge, orderId);
    if (asked.isEmpty()) {
      return Optional.empty();
    }
    for (int i = 0; i < LOOKS; i++) {
      Settled settled = settle(charge, orderId, asked.get());
      if (settled.isFinal()) {
        return settled.annulled();
      }
    }
    throw new StripeUnavailable("the charge %s keeps changing".formatted(charge));
  }

  /**
   * What a look at a charge came to.
   *
   * @param isFinal false where it must be looked at again
   */
  private record Settled(boolean isFinal, Optional<Annulled> annulled) {

    static final Settled NOTHING_CHARGED = new Settled(true, Optional.empty());
    static final Settled LOOK_AGAIN = new Settled(false, Optional.empty());
  }

  private Settled settle(CallKey charge, UUID orderId, Asked asked) {
    Optional<PaymentIntent> made = find(charge, asked);
    if (made.isEmpty()) {
      return keepFromBeingMade(charge, orderId, asked);
    }
    PaymentIntent intent = made.get();
    return switch (intent.getStatus()) {
      case "succeeded" -> new Settled(true, Optional.of(giveBack(charge, orderId, intent)));
      case "canceled" -> Settled.NOTHING_CHARGED;
      case "processing" -> throw undecided(charge, intent);
      default -> stripe.cancel(intent) ? Settled.NOTHING_CHARGED : Settled.LOOK_AGAIN;
    };
  }

  private Annulled giveBack(CallKey charge, UUID orderId, PaymentIntent intent) {
    stripe.refund(PaymentGateway.refundOf(charge), orderId, intent.getId());
    String currency = intent.getCurrency().toUpperCase(Locale.ROOT);
    return new Annulled(
        intent.getId(), StripeAmounts.fromStripe(intent.getAmountReceived(), currency), currency);
  }

  /**
   * A request that is still on its way must not charge. Whichever of it and ours comes first has
   * the key; the other one is refused.
   */
  private Settled keepFromBeingMade(CallKey charge, UUID orderId, Asked asked) {
    return switch (stripe.takeKey(charge, orderId)) {
      case Created.Made(PaymentIntent intent) -> {
        stripe.cancel(intent);
        yield Settled.NOTHING_CHARGED;
      }
      case Created.Refused(DeclineReason ignored) ->
          throw new StripeUnavailable("%s could not be given up".formatted(charge));
      case Created.KeyUsed() -> settledByTime(charge, asked);
    };
  }

  /** The request was carried out; its intent may still turn up after an error of Stripe's. */
  private Settled settledByTime(CallKey charge, Asked asked) {
    if (find(charge, asked).isPresent()) {
      return Settled.LOOK_AGAIN;
    }
    if (asked.last().plus(config.settlingTime()).isAfter(clock.instant())) {
      throw new StripeUnavailable(
          "the charge %s was answered with an error, and may still turn up until %s"
              .formatted(charge, asked.last().plus(config.settlingTime())));
    }
    return Settled.NOTHING_CHARGED;
  }
}
