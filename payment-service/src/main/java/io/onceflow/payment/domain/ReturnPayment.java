package io.onceflow.payment.domain;

import io.onceflow.core.StepKey;
import io.onceflow.inbox.CannotHandle;
import io.onceflow.inbox.Decision;
import io.onceflow.inbox.Found;
import io.onceflow.inbox.NotDone;
import io.onceflow.inbox.ParkingReason;
import io.onceflow.inbox.RowHandler;
import io.onceflow.payment.domain.PaymentReply.PaymentReturned;
import java.time.Instant;
import java.util.UUID;

/**
 * Gives the money of an order back that went through and is returned; step key {@code <root
 * key>:return-payment}. Unlike {@link RefundPayment} it undoes no step of its own saga: its root
 * key is that of the return, and the charge was made under that of the order.
 */
public final class ReturnPayment implements RowHandler<ReturnPaymentCommand, Payment> {

  static final String STEP = "return-payment";

  private final PaymentGateway gateway;

  /** Gives back by way of this gateway. */
  public ReturnPayment(PaymentGateway gateway) {
    this.gateway = gateway;
  }

  @Override
  public String type() {
    return "ReturnPayment";
  }

  @Override
  public String step() {
    return STEP;
  }

  @Override
  public Class<ReturnPaymentCommand> payload() {
    return ReturnPaymentCommand.class;
  }

  @Override
  public UUID subject(ReturnPaymentCommand command) {
    return command.orderId();
  }

  /**
   * What was given back already, be it by a refund, is back, and that is what is asked for. Where
   * nothing was charged somebody is mistaken: the answer would be that the customer has his money,
   * so it is left to an operator.
   */
  @Override
  public Decision<Payment> decide(
      ReturnPaymentCommand command, Found<Payment> charge, Instant now) {
    return switch (charge) {
      case Found.Done<Payment>(Payment payment) when payment.isCharged() ->
          Decision.callOut(ownKey -> giveBack(payment, now));
      case Found.Done<Payment>(Payment payment) when payment.status() == Payment.Status.REFUNDED ->
          Decision.reply(returned(payment));
      default -> throw nothingCharged(command);
    };
  }

  /**
   * Another saga of the same application made the charge; which one does not matter, but an order
   * of another application is another order, even with the same id. Sagas begun before origins say
   * nothing of theirs.
   */
  @Override
  public boolean isAbout(Payment row, String scope, StepKey action) {
    String charged = application(row.key().step());
    String asks = application(action);
    return charged.isEmpty() || asks.isEmpty() || charged.equals(asks);
  }

  private static String application(StepKey key) {
    int slash = key.origin().lastIndexOf('/');
    return slash < 0 ? key.origin() : key.origin().substring(0, slash);
  }

  @Override
  public Object notDone(ReturnPaymentCommand command, NotDone why) {
    throw new IllegalStateException("money is given back, however long it takes");
  }

  /** The charge's own refund key: a refund of it that is under way at the same time is this one. */
  private Decision.Answer<Payment> giveBack(Payment payment, Instant now)
      throws InterruptedException {
    gateway.refund(payment.key().refund(), payment.charge(), payment.amount());
    return Decision.<Payment>reply(returned(payment)).save(payment.refundedAt(now));
  }

  private static PaymentReturned returned(Payment payment) {
    return new PaymentReturned(payment.orderId(), payment.amount());
  }

  private static CannotHandle nothingCharged(ReturnPaymentCommand command) {
    return new CannotHandle(
        ParkingReason.HANDLING_FAILED,
        "order %s is to be paid back and was never charged".formatted(command.orderId()));
  }
}
