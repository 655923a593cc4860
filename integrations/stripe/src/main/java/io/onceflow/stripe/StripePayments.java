package io.onceflow.stripe;

import com.stripe.model.PaymentIntent;
import com.stripe.model.StripeError;
import io.onceflow.participant.CallKey;
import io.onceflow.stripe.StripeIntents.Created;
import io.onceflow.stripe.StripeRequests.Asked;
import io.onceflow.stripe.StripeRequests.Money;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jboss.logging.Logger;

/**
 * Charges and refunds by Stripe. A charge is a payment intent, created and confirmed in one request
 * under the step's key. Each method may be called any number of times for one key, by this process
 * or another: the money moves once, and the result is the same.
 *
 * <p>Stripe answers a key the same for at least 24 hours, whatever the first answer was, an error
 * of its own too, and may have charged behind that error. So where a repeat under the key does not
 * tell what happened, or the key may be forgotten, the intent is looked for by the key in its
 * metadata.
 *
 * <p>The version of Stripe's API is {@link StripeClients#API_VERSION}.
 */
@Singleton
public class StripePayments {

  /** Far less than the time after its request in which a charge is looked for. */
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

  private static final Logger LOG = Logger.getLogger(StripePayments.class);

  private final StripeRequests requests;
  private final StripeRefundTable table;
  private final Clock clock;
  private final Duration lookAgainAfter;
  private final StripeIntents intents;
  private final StripeRefunds refunds;
  private final StripeAnnulment annulment;

  @Inject
  StripePayments(
      StripeConfig config,
      StripeClients clients,
      StripeRequests requests,
      StripeRefundTable table) {
    this(config, clients.calls(), requests, table, Clock.systemUTC());
  }

  StripePayments(
      StripeConfig config,
      StripeCalls stripe,
      StripeRequests requests,
      StripeRefundTable table,
      Clock clock) {
    this.requests = requests;
    this.table = table;
    this.lookAgainAfter = config.lookAgainAfter();
    this.clock = clock;
    this.intents = new StripeIntents(stripe);
    this.refunds = new StripeRefunds(stripe, table);
    this.annulment = new StripeAnnulment(intents, refunds, config.settlingTime(), clock);
  }

  /**
   * A charge that was found and refunded.
   *
   * @param intent the id of the payment intent
   * @param amount in the minor unit of ISO 4217
   * @param currency ISO 4217
   */
  public record Annulled(String intent, long amount, String currency) {}

  /**
   * Charges.
   *
   * @param key of the step that charges
   * @throws StripeUnavailable if the result is unknown; call again with the same arguments
   */
  public StripeOutcome charge(CallKey key, StripeCharge charge) {
    OptionalLong amount = StripeAmounts.toStripe(charge.amount(), charge.currency());
    if (amount.isEmpty()) {
      return new StripeOutcome.Declined("amount_not_representable");
    }
    Instant begun = clock.instant();
    Optional<Asked> asked =
        requests.ask(key, charge.reference(), new Money(amount.getAsLong(), charge.currency()));
    return asked
        .map(
            it ->
                askedBefore(key, charge, it)
                    .orElseGet(() -> ask(key, charge, amount.getAsLong(), it, begun)))
        .orElseGet(StripeOutcome.GivenUp::new);
  }

  /** The outcome of an earlier request, where a repeat under the key would not tell. */
  private Optional<StripeOutcome> askedBefore(CallKey key, StripeCharge charge, Asked asked) {
    if (asked.intent() != null) {
      return Optional.of(outcomeOf(key, charge, intents.read(asked.intent())));
    }
    return asked.isKeyKept(clock.instant()) ? Optional.empty() : outcomeOfFound(key, charge, asked);
  }

  private StripeOutcome ask(
      CallKey key, StripeCharge charge, long amount, Asked asked, Instant begun) {
    requireNoPause(key, begun);
    try {
      return switch (intents.charge(key, charge, amount)) {
        case Created.Made(PaymentIntent made) ->
            outcomeOf(key, charge, asked.isRepeat() ? intents.read(made.getId()) : made);
        case Created.Refused(String code) -> declined(key, charge, code);
        case Created.KeyUsed() -> outcomeOfUsed(key, charge, asked);
      };
    } catch (StripeUnavailable e) {
      if (!asked.isRepeat()) {
        throw e;
      }
      // The answer to the first request may have been an error, which Stripe repeats for the key.
      return outcomeOfFound(key, charge, asked).orElseThrow(() -> e);
    }
  }

  private static StripeOutcome declined(CallKey key, StripeCharge charge, String code) {
    LOG.infof("Stripe declined %s (key %s): %s", charge.reference(), key, code);
    return new StripeOutcome.Declined(code);
  }

  /**
   * A process that stood still asks again, so that its request is recorded when it is made: the
   * charge may have been given up meanwhile, and is looked for around that time.
   */
  private void requireNoPause(CallKey key, Instant begun) {
    Duration pause = Duration.between(begun, clock.instant());
    if (pause.compareTo(LONGEST_PAUSE) > 0) {
      throw new StripeUnavailable(
          "the charge %s was not asked for: this process paused for %s".formatted(key, pause));
    }
  }

  private StripeOutcome outcomeOfUsed(CallKey key, StripeCharge charge, Asked asked) {
    List<PaymentIntent> made = intents.find(key, asked);
    if (made.stream().anyMatch(StripeIntents::isVoid)) {
      return new StripeOutcome.GivenUp();
    }
    return made.stream()
        .findFirst()
        .map(intent -> outcomeOf(key, charge, intent))
        .orElseThrow(
            () ->
                new StripeUnavailable(
                    "%s was used for another request, and no payment intent has it"
                        .formatted(key)));
  }

  private Optional<StripeOutcome> outcomeOfFound(CallKey key, StripeCharge charge, Asked asked) {
    return intents.findCharge(key, asked).map(intent -> outcomeOf(key, charge, intent));
  }

  private StripeOutcome outcomeOf(CallKey key, StripeCharge charge, PaymentIntent intent) {
    return switch (intent.getStatus()) {
      case "succeeded" -> new StripeOutcome.Charged(intent.getId());
      case "canceled" ->
          new StripeOutcome.Declined(declineCodeOf(intent, "payment_intent_canceled"));
      case "requires_payment_method" ->
          decline(key, charge, intent, declineCodeOf(intent, "card_declined"));
      case "requires_action", "requires_confirmation" ->
          charge.mayWait()
              ? waitFor(key, intent)
              : decline(key, charge, intent, "authentication_required");
      case "processing" -> charge.mayWait() ? waitFor(key, intent) : undecided(key, intent);
      default -> decline(key, charge, intent, "unexpected_status");
    };
  }

  private StripeOutcome waitFor(CallKey key, PaymentIntent intent) {
    requests.waitFor(key, intent.getId());
    return new StripeOutcome.Pending(intent.getId(), intent.getStatus(), lookAgainAfter);
  }

  /** The same before and after the intent is cancelled for it. */
  private static String declineCodeOf(PaymentIntent intent, String unknown) {
    StripeError error = intent.getLastPaymentError();
    if (error == null) {
      return unknown;
    }
    return Objects.requireNonNullElse(
        error.getDeclineCode(), Objects.requireNonNullElse(error.getCode(), unknown));
  }

  /**
   * Cancels the intent: a customer who has seen it could still confirm it, with another payment
   * method too.
   */
  private StripeOutcome decline(
      CallKey key, StripeCharge charge, PaymentIntent intent, String code) {
    return intents.cancel(intent) ? declined(key, charge, code) : undecided(key, intent);
  }

  private static StripeOutcome undecided(CallKey key, PaymentIntent intent) {
    throw new StripeUnavailable(
        "the charge %s (%s) was %s".formatted(key, intent.getId(), intent.getStatus()));
  }

  /**
   * The payments of something that waited for their customer or bank, with their present status.
   *
   * @param scope of the caller
   * @param reference what is paid
   * @throws StripeUnavailable if Stripe does not answer
   */
  public List<StripePendingPayment> pending(String scope, String reference) {
    return requests.pending(scope, reference).stream()
        .map(intent -> StripePendingPayment.of(reference, intents.read(intent)))
        .toList();
  }

  /**
   * Refunds all of a charge.
   *
   * @param key of the refund
   * @param reference what was paid
   * @param intent what {@link StripeOutcome.Charged} named
   * @throws StripeUnavailable if the result is unknown; call again with the same arguments
   * @throws StripeRefundFailed if Stripe cannot refund
   */
  public void refund(CallKey key, String reference, String intent) {
    refunds.refund(key.value(), reference, intent);
  }

  /**
   * Refunds all of a charge as an operator has decided, though its refund has failed before.
   *
   * @param key of the refund
   * @param reference what was paid
   * @param intent what {@link StripeOutcome.Charged} named
   * @return false where an operator has resolved it, and so it was not asked for
   * @throws StripeUnavailable if the result is unknown; call again with the same arguments
   * @throws StripeRefundFailed if Stripe cannot refund
   */
  public boolean refundAgain(CallKey key, String reference, String intent) {
    return refunds.refundAgain(key.value(), reference, intent);
  }

  /**
   * Why the refund of a charge has failed, in Stripe's word.
   *
   * @return empty where none has, or an operator has resolved it
   */
  public Optional<String> refundFailure(String reference, String intent) {
    try {
      return table.failure(reference, intent);
    } catch (SQLException e) {
      throw new StripeUnavailable("the refund of %s cannot be read".formatted(intent), e);
    }
  }

  /** Asks again for a refund that is not resolved. */
  void refund(StripeRefundTable.Stored refund) {
    refunds.refund(refund.key(), refund.reference(), refund.intent());
  }

  /**
   * Settles a charge whose result is unknown or pending: refunds what was charged under its key,
   * and lets nothing be charged under it any more, not even by a request that is still in transit.
   *
   * @param charge the key of the charge
   * @param refund the key of its refund
   * @param reference what was to be paid
   * @return what was refunded; empty if nothing had been charged
   * @throws StripeUnavailable if that is not certain yet; call again with the same arguments
   */
  public Optional<Annulled> annul(CallKey charge, CallKey refund, String reference) {
    return requests
        .giveUp(charge, reference)
        .flatMap(asked -> annulment.annul(charge, refund, reference, asked));
  }
}
