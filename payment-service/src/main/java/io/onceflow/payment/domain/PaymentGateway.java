package io.onceflow.payment.domain;

import java.util.Optional;
import java.util.UUID;

/**
 * Whoever moves the money. Failures come in three kinds: what it will never do it declines; when
 * nobody knows what happened it throws {@link GatewayUnavailable}, or anything else, and is asked
 * again; when it was not even asked, {@link io.onceflow.inbox.CallNotPermitted}.
 *
 * <p>All calls may be made again and again for one key, by this process or another, and must then
 * move it once and answer the same. They may take their time and may be interrupted; an exception
 * means that nobody knows what happened.
 */
public interface PaymentGateway {

  /**
   * Charges.
   *
   * @param key what this charge is known by
   * @param command whom to charge how much
   * @throws GatewayUnavailable when there was no answer; ask again under the same key
   */
  Outcome charge(ChargeKey key, ProcessPayment command) throws InterruptedException;

  /**
   * Gives a charge back.
   *
   * @param key what this refund is known by
   * @param charge what {@link Outcome.Charged} named
   * @param amount in minor units
   * @throws GatewayUnavailable when there was no answer; ask again under the same key
   */
  void refund(ChargeKey key, String charge, long amount) throws InterruptedException;

  /**
   * Settles a charge of which nobody knows whether it was made: gives back what was charged under
   * its key, as the refund that {@link ChargeKey#refund()} names, and lets nothing be charged under
   * it any more, not even by a call that is still on its way.
   *
   * @param charge what the charge was or would be known by
   * @param orderId what it was for
   * @return what was given back; empty when nothing had been charged
   * @throws GatewayUnavailable when there was no answer; ask again under the same key
   */
  Optional<Annulled> annul(ChargeKey charge, UUID orderId) throws InterruptedException;

  /**
   * A charge that was found and given back.
   *
   * @param reference what the gateway calls the charge
   * @param amount in minor units
   * @param currency ISO 4217
   */
  record Annulled(String reference, long amount, String currency) {}

  /** What came of a charge. */
  sealed interface Outcome {

    /**
     * The money is ours.
     *
     * @param reference what the gateway calls the charge
     */
    record Charged(String reference) implements Outcome {}

    /** The money is not ours, and asking again would not change that. */
    record Declined(DeclineReason reason) implements Outcome {}
  }
}
