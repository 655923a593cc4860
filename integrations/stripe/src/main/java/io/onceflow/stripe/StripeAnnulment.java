package io.onceflow.stripe;

import com.stripe.model.PaymentIntent;
import io.onceflow.participant.CallKey;
import io.onceflow.stripe.StripeIntents.Created;
import io.onceflow.stripe.StripePayments.Annulled;
import io.onceflow.stripe.StripeRequests.Asked;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** Settles charges that were given up. */
final class StripeAnnulment {

  /** An intent's status may change while it is looked at, but not often. */
  private static final int LOOKS = 3;

  private final StripeIntents intents;
  private final StripeRefunds refunds;
  private final Duration settlingTime;
  private final Clock clock;

  StripeAnnulment(
      StripeIntents intents, StripeRefunds refunds, Duration settlingTime, Clock clock) {
    this.intents = intents;
    this.refunds = refunds;
    this.settlingTime = settlingTime;
    this.clock = clock;
  }

  /** A charge that was given up, and the key of its refund. */
  private record GivenUpCharge(CallKey key, CallKey refund, String reference, Asked asked) {}

  Optional<Annulled> annul(CallKey key, CallKey refund, String reference, Asked asked) {
    GivenUpCharge charge = new GivenUpCharge(key, refund, reference, asked);
    for (int i = 0; i < LOOKS; i++) {
      Settled settled = settle(charge);
      if (settled.isFinal()) {
        return settled.annulled();
      }
    }
    throw new StripeUnavailable("the charge %s keeps changing".formatted(key));
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

  private Settled settle(GivenUpCharge charge) {
    String known = charge.asked().intent();
    Optional<PaymentIntent> made =
        known == null ? findMade(charge) : Optional.of(intents.read(known));
    return made.map(intent -> settle(charge, intent)).orElseGet(() -> keepFromBeingMade(charge));
  }

  /**
   * The key is taken afterwards, which tells whether a request was carried out under it in the last
   * day, later than it was made. Only then the list of all that was made since is read, which may
   * take longer than a call may. Once the key may be forgotten, a request may also have been
   * carried out before that day: it is looked for in the hour after it was made.
   */
  private Optional<PaymentIntent> findMade(GivenUpCharge charge) {
    return charge.asked().isKeyKept(clock.instant())
        ? intents.findChargeAsAsked(charge.key(), charge.asked())
        : intents.findChargeNearby(charge.key(), charge.asked());
  }

  private Settled settle(GivenUpCharge charge, PaymentIntent intent) {
    return switch (intent.getStatus()) {
      case "succeeded" -> new Settled(true, Optional.of(giveBack(charge, intent)));
      case "canceled" -> Settled.NOTHING_CHARGED;
      case "processing" -> cancelWhileProcessing(charge, intent);
      default -> intents.cancel(intent) ? Settled.NOTHING_CHARGED : Settled.LOOK_AGAIN;
    };
  }

  /**
   * Some payment methods can be cancelled while the bank processes them; others end first, which
   * takes days: an answer, not a failure that counts against the refunds of others.
   */
  private Settled cancelWhileProcessing(GivenUpCharge charge, PaymentIntent intent) {
    if (intents.cancel(intent)) {
      return Settled.NOTHING_CHARGED;
    }
    throw new StripeRefundFailed(
        "charge_processing",
        "the charge %s (%s) is processing and cannot be cancelled; it is refunded once it has succeeded"
            .formatted(charge.key(), intent.getId()));
  }

  private Annulled giveBack(GivenUpCharge charge, PaymentIntent intent) {
    refunds.refund(charge.refund().value(), charge.reference(), intent.getId());
    String currency = intent.getCurrency().toUpperCase(Locale.ROOT);
    return new Annulled(
        intent.getId(), StripeAmounts.fromStripe(intent.getAmountReceived(), currency), currency);
  }

  /**
   * A request that is still in transit must not charge. Whichever of it and ours comes first has
   * the key; the other one is refused.
   */
  private Settled keepFromBeingMade(GivenUpCharge charge) {
    try {
      return takeKey(charge);
    } catch (StripeUnavailable unknown) {
      return takenBehindAnError(charge).orElseThrow(() -> unknown);
    }
  }

  /**
   * Stripe repeats its first answer under a key, an error of its own too, and may have taken it.
   */
  private Optional<Settled> takenBehindAnError(GivenUpCharge charge) {
    return intents.find(charge.key(), charge.asked()).stream()
        .filter(StripeIntents::isVoid)
        .findFirst()
        .map(
            taken -> {
              intents.cancel(taken);
              return Settled.NOTHING_CHARGED;
            });
  }

  private Settled takeKey(GivenUpCharge charge) {
    return switch (intents.takeKey(charge.key(), charge.reference(), charge.asked().money())) {
      case Created.Made(PaymentIntent intent) -> {
        intents.cancel(intent);
        yield Settled.NOTHING_CHARGED;
      }
      case Created.Refused(String code) ->
          throw new StripeUnavailable(
              "the key of %s could not be taken (%s)".formatted(charge.key(), code));
      case Created.KeyUsed() -> settledByTime(charge);
    };
  }

  /** The request was carried out; its intent may still turn up after an error of Stripe's. */
  private Settled settledByTime(GivenUpCharge charge) {
    Optional<PaymentIntent> made = intents.findCharge(charge.key(), charge.asked());
    if (made.isPresent()) {
      return settle(charge, made.get());
    }
    Instant settled = charge.asked().last().plus(settlingTime);
    if (settled.isAfter(clock.instant())) {
      throw new StripeUnavailable(
          "the charge %s was answered with an error, and may still appear until %s"
              .formatted(charge.key(), settled));
    }
    return Settled.NOTHING_CHARGED;
  }
}
