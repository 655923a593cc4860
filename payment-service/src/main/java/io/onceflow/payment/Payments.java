package io.onceflow.payment;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.participant.Answer;
import io.onceflow.participant.Answer.Rejection;
import io.onceflow.participant.Answer.UnprocessableMessage;
import io.onceflow.participant.CallKey;
import io.onceflow.participant.CallsOut;
import io.onceflow.participant.Handles;
import io.onceflow.participant.Handles.FallbackReply;
import io.onceflow.payment.domain.DeclineReason;
import io.onceflow.payment.domain.Payment;
import io.onceflow.payment.domain.PaymentGateway;
import io.onceflow.payment.domain.PaymentReply.PaymentDeclined;
import io.onceflow.payment.domain.PaymentReply.PaymentRefunded;
import io.onceflow.payment.domain.PaymentReply.PaymentReturned;
import io.onceflow.payment.domain.PaymentReply.RefundDeclined;
import io.onceflow.payment.domain.ProcessPayment;
import io.onceflow.payment.domain.RefundPayment;
import io.onceflow.payment.domain.ReturnPayment;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;

/** Charges orders at the payment gateway, and gives the money back. */
@ApplicationScoped
public class Payments {

  private static final Logger LOG = Logger.getLogger(Payments.class);

  private final PaymentGateway gateway;
  private final Clock clock;

  /** Payments are dated by this clock. */
  public Payments(PaymentGateway gateway, Clock clock) {
    this.gateway = gateway;
    this.clock = clock;
  }

  /**
   * A step of an orchestrator charges an order once. A payment that is here already was made under
   * another root key. A command for the same amount is answered with the outcome of that payment;
   * one for another amount is refused: an order's total never changes, so one of the two is wrong,
   * and no money moves for it.
   */
  @Handles
  @CallsOut
  Answer process(ProcessPayment command, CallKey key, List<Payment> ofOrder)
      throws InterruptedException {
    Optional<Payment> before =
        ofOrder.stream().filter(payment -> payment.key().isOfSameStep(key)).findFirst();
    if (before.isEmpty()) {
      return charge(key, command);
    }
    return before.get().isFor(command)
        ? before.get().answer()
        : Answer.refused(new PaymentDeclined(command.orderId(), DeclineReason.ALREADY_PAID));
  }

  private Answer charge(CallKey key, ProcessPayment command) throws InterruptedException {
    UUID id = OutboxMessage.newId();
    return switch (gateway.charge(key, command)) {
      case PaymentGateway.Outcome.Pending(Duration lookAgainAfter) ->
          Answer.pending(lookAgainAfter);
      case PaymentGateway.Outcome.Charged(String reference) ->
          saved(Payment.charged(id, key, command, reference, clock.instant()));
      case PaymentGateway.Outcome.Declined(DeclineReason reason) ->
          saved(Payment.declined(id, key, command, reason, clock.instant()));
    };
  }

  private static Answer saved(Payment payment) {
    return payment.answer().save(payment);
  }

  @FallbackReply
  PaymentDeclined notCharged(ProcessPayment command, Rejection why) {
    return new PaymentDeclined(command.orderId(), DeclineReason.of(why));
  }

  /**
   * Gives back what the saga's charge took.
   *
   * @param payment what the charge has written; empty where its result is unknown, which the
   *     gateway settles
   */
  @Handles
  @CallsOut
  Answer refund(RefundPayment command, CallKey own, CallKey charge, Optional<Payment> payment)
      throws InterruptedException {
    if (payment.isEmpty()) {
      return annul(charge, command);
    }
    return payment.get().isCharged()
        ? giveBack(payment.get(), new PaymentRefunded(command.orderId(), payment.get().amount()))
        : Answer.done(nothingToGiveBack(command));
  }

  @FallbackReply
  PaymentRefunded nothingToGiveBack(RefundPayment command) {
    return new PaymentRefunded(command.orderId(), 0);
  }

  private Answer annul(CallKey charge, RefundPayment command) throws InterruptedException {
    Optional<PaymentGateway.Annulled> annulled;
    try {
      annulled = gateway.annul(charge, command.orderId());
    } catch (PaymentGateway.RefundRefused e) {
      return refundDeclined(command.orderId(), e);
    }
    if (annulled.isEmpty()) {
      return Answer.done(nothingToGiveBack(command));
    }
    Payment payment =
        Payment.annulled(
            OutboxMessage.newId(), charge, command.orderId(), annulled.get(), clock.instant());
    return Answer.done(new PaymentRefunded(payment.orderId(), payment.amount())).save(payment);
  }

  /**
   * Gives the money of an order back that went through and is returned. Unlike a refund it undoes
   * no step of its own saga: its root key is that of the return, and the charge was made under that
   * of the order. What was given back already, be it by a refund, is answered as returned.
   *
   * @throws UnprocessableMessage where nothing was charged: the answer would be that the customer
   *     has the money, so it is left to an operator
   */
  @Handles
  Answer giveBackReturned(ReturnPayment command, CallKey key, List<Payment> ofOrder) {
    Payment payment =
        ofOrder.stream()
            .filter(it -> it.key().isOfSameApplication(key))
            .filter(it -> it.status() != Payment.Status.DECLINED)
            .findFirst()
            .orElseThrow(() -> nothingCharged(command));
    PaymentReturned returned = new PaymentReturned(payment.orderId(), payment.amount());
    return payment.isCharged()
        ? Answer.callOut(() -> giveBack(payment, returned))
        : Answer.done(returned);
  }

  /** Money is given back however long it takes: a command that says otherwise is parked. */
  @FallbackReply
  PaymentReturned neverGivenUp(ReturnPayment command, Rejection why) {
    throw new UnprocessableMessage(
        "order %s has to be refunded, which has no end (%s)".formatted(command.orderId(), why));
  }

  /** Under the charge's own refund key, so that one charge is given back once. */
  private Answer.Reply giveBack(Payment payment, Record reply) throws InterruptedException {
    try {
      gateway.refund(
          PaymentGateway.refundOf(payment.key()),
          payment.orderId(),
          payment.charge(),
          payment.amount());
    } catch (PaymentGateway.RefundRefused e) {
      return refundDeclined(payment.orderId(), e);
    }
    return Answer.done(reply).save(payment.refundedAt(clock.instant()));
  }

  /** An answer, not a failure: the calls for other refunds continue. */
  private static Answer.Reply refundDeclined(UUID orderId, PaymentGateway.RefundRefused why) {
    LOG.errorf("the payment of order %s is not refunded: %s", orderId, why.getMessage());
    return Answer.refused(new RefundDeclined(orderId, why.code()));
  }

  private static UnprocessableMessage nothingCharged(ReturnPayment command) {
    return new UnprocessableMessage(
        "order %s has to be refunded and was never charged".formatted(command.orderId()));
  }
}
