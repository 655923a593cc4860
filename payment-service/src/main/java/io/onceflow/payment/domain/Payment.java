package io.onceflow.payment.domain;

import io.onceflow.participant.Answer;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.participant.CallKey;
import io.onceflow.payment.domain.PaymentReply.PaymentDeclined;
import io.onceflow.payment.domain.PaymentReply.PaymentProcessed;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of charging an order: one of each step that charges it.
 *
 * <pre>
 *   charged ──▶ PROCESSED ──refundedAt──▶ REFUNDED
 *   declined ─▶ DECLINED
 * </pre>
 *
 * @param key of the step that charged, by which the gateway knows the charge
 * @param amount in minor units
 * @param declineReason only of a declined one
 * @param gatewayReference what the gateway calls the charge; null only of a declined one
 * @param refundedAt only of a refunded one
 */
public record Payment(
    UUID id,
    UUID orderId,
    CallKey key,
    Status status,
    long amount,
    String currency,
    @Nullable DeclineReason declineReason,
    @Nullable String gatewayReference,
    Instant processedAt,
    @Nullable Instant refundedAt) {

  /** Where a payment stands. */
  public enum Status {
    /** Charged. */
    PROCESSED,
    /** Never charged. */
    DECLINED,
    /** Charged, and given back. */
    REFUNDED
  }

  /** The payment that the gateway made of a command. */
  public static Payment charged(
      UUID id, CallKey key, ProcessPayment command, String reference, Instant now) {
    return of(command, id, key, Status.PROCESSED, null, reference, now);
  }

  /** The payment that the gateway would not make. */
  public static Payment declined(
      UUID id, CallKey key, ProcessPayment command, DeclineReason reason, Instant now) {
    return of(command, id, key, Status.DECLINED, reason, null, now);
  }

  private static Payment of(
      ProcessPayment command,
      UUID id,
      CallKey key,
      Status status,
      @Nullable DeclineReason reason,
      @Nullable String reference,
      Instant now) {
    long amount = command.amount();
    String currency = command.currency();
    return new Payment(
        id, command.orderId(), key, status, amount, currency, reason, reference, now, null);
  }

  /** A payment without a row here, which the gateway found and refunded. */
  public static Payment annulled(
      UUID id, CallKey key, UUID orderId, PaymentGateway.Annulled found, Instant now) {
    return new Payment(
        id,
        orderId,
        key,
        Status.REFUNDED,
        found.amount(),
        found.currency(),
        null,
        found.reference(),
        now,
        now);
  }

  /** True while the charge is not refunded. */
  public boolean isCharged() {
    return status == Status.PROCESSED;
  }

  /** What the gateway calls the charge. */
  public String charge() {
    return Objects.requireNonNull(gatewayReference, () -> "payment " + id + " was never charged");
  }

  /**
   * The same payment, given back.
   *
   * @throws IllegalStateException unless it is charged
   */
  public Payment refundedAt(Instant now) {
    if (!isCharged()) {
      throw new IllegalStateException("payment " + id + " is " + status + ": nothing to refund");
    }
    return new Payment(
        id, orderId, key, Status.REFUNDED, amount, currency, null, charge(), processedAt, now);
  }

  /** The answer to a command that asks for the charge. */
  public Answer.Reply answer() {
    return switch (status) {
      case PROCESSED -> Answer.done(new PaymentProcessed(orderId, id, amount, currency, charge()));
      case DECLINED -> declined(Objects.requireNonNull(declineReason));
      // Charging again what was given back would undo the compensation.
      case REFUNDED -> declined(DeclineReason.CANCELLED);
    };
  }

  private Answer.Reply declined(DeclineReason reason) {
    return Answer.of(
        reason == DeclineReason.CANCELLED ? ReplyOutcome.CANCELLED : ReplyOutcome.REFUSED,
        new PaymentDeclined(orderId, reason));
  }

  /** Whether this is what the command asks for. */
  public boolean isFor(ProcessPayment command) {
    return amount == command.amount() && currency.equals(command.currency());
  }
}
