package io.onceflow.payment.domain;

import io.onceflow.core.StepKey;
import io.onceflow.inbox.Decision;
import io.onceflow.inbox.Found;
import io.onceflow.inbox.NotDone;
import io.onceflow.inbox.RowHandler;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.payment.domain.PaymentReply.PaymentRefunded;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** Gives back what was charged for an order; step key {@code <root key>:refund-payment}. */
public final class RefundPayment implements RowHandler<RefundPaymentCommand, Payment> {

  static final String STEP = "refund-payment";

  private final PaymentGateway gateway;

  /** Gives back by way of this gateway. */
  public RefundPayment(PaymentGateway gateway) {
    this.gateway = gateway;
  }

  @Override
  public String type() {
    return "RefundPayment";
  }

  @Override
  public String step() {
    return STEP;
  }

  @Override
  public Class<RefundPaymentCommand> payload() {
    return RefundPaymentCommand.class;
  }

  @Override
  public Optional<String> undoes() {
    return Optional.of(ProcessPayment.STEP);
  }

  @Override
  public UUID subject(RefundPaymentCommand command) {
    return command.orderId();
  }

  /**
   * A refund may overtake its charge (rule 6). Nothing charged yet means that nothing ever will be:
   * the tombstone takes the charge's place, and whoever comes late finds it.
   */
  @Override
  public Decision<Payment> decide(
      RefundPaymentCommand command, Found<Payment> charge, Instant now) {
    return switch (charge) {
      case Found.Nothing<Payment>() ->
          Decision.tombstone(ProcessPayment.STEP).reply(nothingToGiveBack(command));
      case Found.Running<Payment>() -> Decision.waitFor(ProcessPayment.STEP);
      case Found.InDoubt<Payment>() ->
          Decision.undo((scope, action) -> annul(new ChargeKey(scope, action), command, now));
      case Found.Done<Payment>(Payment payment) when payment.isCharged() ->
          Decision.callOut(ownKey -> refund(payment, now));
      case Found.Done<Payment>(Payment payment) -> Decision.reply(nothingToGiveBack(command));
    };
  }

  @Override
  public Object notDone(RefundPaymentCommand command, NotDone why) {
    throw new IllegalStateException("a compensation is done, however long it takes");
  }

  @Override
  public boolean wasWrittenBy(Payment row, String scope, StepKey action) {
    return row.key().equals(new ChargeKey(scope, action));
  }

  /** Nobody knows whether it was charged; the gateway does, and makes sure. */
  private Decision.Answer<Payment> annul(
      ChargeKey charge, RefundPaymentCommand command, Instant now) throws InterruptedException {
    Optional<PaymentGateway.Annulled> annulled = gateway.annul(charge, command.orderId());
    if (annulled.isEmpty()) {
      return Decision.reply(nothingToGiveBack(command));
    }
    Payment payment =
        Payment.annulled(OutboxMessage.newId(), charge, command.orderId(), annulled.get(), now);
    return Decision.<Payment>reply(new PaymentRefunded(payment.orderId(), payment.amount()))
        .save(payment);
  }

  /** The charge's own refund key, so that one charge is given back once, whoever asks for it. */
  private Decision.Answer<Payment> refund(Payment payment, Instant now)
      throws InterruptedException {
    gateway.refund(payment.key().refund(), payment.charge(), payment.amount());
    return Decision.<Payment>reply(new PaymentRefunded(payment.orderId(), payment.amount()))
        .save(payment.refundedAt(now));
  }

  private static PaymentRefunded nothingToGiveBack(RefundPaymentCommand command) {
    return new PaymentRefunded(command.orderId(), 0);
  }
}
