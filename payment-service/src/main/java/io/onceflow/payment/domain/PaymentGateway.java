package io.onceflow.payment.domain;

/**
 * Whoever moves the money. Both calls may be made again and again for one key, by this process or
 * another, and must then move it once and answer the same. They may take their time and may be
 * interrupted; an exception means that nobody knows what happened.
 */
public interface PaymentGateway {

  /**
   * Charges.
   *
   * @param key what this charge is known by
   * @param command whom to charge how much
   * @throws GatewayUnavailable when there was no answer; ask again under the same key
   */
  Outcome charge(ChargeKey key, ProcessPaymentCommand command) throws InterruptedException;

  /**
   * Gives a charge back.
   *
   * @param key what this refund is known by
   * @param charge what {@link Outcome.Charged} named
   * @param amount in minor units
   * @throws GatewayUnavailable when there was no answer; ask again under the same key
   */
  void refund(ChargeKey key, String charge, long amount) throws InterruptedException;

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
