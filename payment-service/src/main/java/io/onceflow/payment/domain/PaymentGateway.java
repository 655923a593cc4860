package io.onceflow.payment.domain;

import io.onceflow.participant.CallKey;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * The system that moves the money. What it will never do it declines; an exception means that the
 * result is unknown, and the call is made again under the same key.
 *
 * <p>Each call may be made any number of times for one key, by this process or another; it must
 * then move the money once and answer the same. It may be interrupted at its deadline.
 */
public interface PaymentGateway {

  /** Charges. */
  Outcome charge(CallKey key, ProcessPayment command) throws InterruptedException;

  /**
   * Gives a charge back.
   *
   * @param key of the refund; see {@link #refundOf}
   * @param orderId what was charged for
   * @param charge what {@link Outcome.Charged} named
   * @param amount in minor units
   * @throws RefundRefused if the gateway does not give it back
   */
  void refund(CallKey key, UUID orderId, String charge, long amount) throws InterruptedException;

  /**
   * Gives a charge back as an operator has decided, though its refund was answered as made before
   * and has failed since.
   *
   * @param key of the refund; see {@link #refundOf}
   * @param orderId what was charged for
   * @param charge what {@link Outcome.Charged} named
   * @param amount in minor units
   * @return false where an operator has resolved the refund, and so it was not asked for
   * @throws RefundRefused if the gateway does not give it back
   */
  default boolean refundAgain(CallKey key, UUID orderId, String charge, long amount)
      throws InterruptedException {
    refund(key, orderId, charge, amount);
    return true;
  }

  /**
   * Why the money of a charge has not come back, in the gateway's word, such as {@code
   * charge_disputed}, also where its refund was answered as made before.
   *
   * @return empty where no refund has failed, or an operator has resolved it
   */
  default Optional<String> refundFailure(UUID orderId, String charge) {
    return Optional.empty();
  }

  /**
   * Settles a charge whose result is unknown: gives back what was charged under its key, as the
   * refund that {@link #refundOf} names, and lets nothing be charged under it any more, not even by
   * a call that is still in transit.
   *
   * @param charge the key of the charge
   * @param orderId what it was for
   * @return what was given back; empty if nothing had been charged
   * @throws RefundRefused if the gateway does not give back what was charged
   */
  Optional<Annulled> annul(CallKey charge, UUID orderId) throws InterruptedException;

  /**
   * The key of a charge's refund. It follows from the charge, not from the command that asks: two
   * commands that would give the same charge back are one refund to the gateway.
   */
  static CallKey refundOf(CallKey charge) {
    String step = charge.stepName();
    return charge.sibling(step.equals("process-payment") ? "refund-payment" : step + "+refund");
  }

  /** The gateway does not give a charge back; it may once an operator has removed the cause. */
  final class RefundRefused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String code;

    /**
     * @param code the gateway's word for the cause
     */
    public RefundRefused(String code, RuntimeException cause) {
      super(cause.getMessage(), cause);
      this.code = code;
    }

    /** The gateway's word for the cause, such as {@code charge_disputed}. */
    public String code() {
      return code;
    }
  }

  /**
   * A charge that was found and given back.
   *
   * @param reference what the gateway calls the charge
   * @param amount in minor units
   * @param currency ISO 4217
   */
  record Annulled(String reference, long amount, String currency) {}

  /** The outcome of a charge. */
  sealed interface Outcome {

    /**
     * The customer was charged.
     *
     * @param reference what the gateway calls the charge
     */
    record Charged(String reference) implements Outcome {}

    /**
     * The gateway has taken the charge on, and its outcome is not known yet: the customer has to
     * confirm it, or it is settled later.
     *
     * @param lookAgainAfter when to charge again under the same key, unless an event says more
     */
    record Pending(Duration lookAgainAfter) implements Outcome {}

    /** The customer was not charged, and a repeat would not change that. */
    record Declined(DeclineReason reason) implements Outcome {}
  }
}
