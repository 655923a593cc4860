package io.onceflow.payment.domain;

import io.onceflow.core.StepKey;
import io.onceflow.inbox.Decision;
import io.onceflow.inbox.Found;
import io.onceflow.inbox.NotDone;
import io.onceflow.inbox.RowHandler;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.payment.domain.PaymentGateway.Outcome;
import io.onceflow.payment.domain.PaymentReply.PaymentDeclined;
import java.time.Instant;
import java.util.UUID;

/** Charges an order; step key {@code <root key>:process-payment}. */
public final class ProcessPayment implements RowHandler<ProcessPaymentCommand, Payment> {

  static final String STEP = "process-payment";

  private final PaymentGateway gateway;

  /** Charges by way of this gateway. */
  public ProcessPayment(PaymentGateway gateway) {
    this.gateway = gateway;
  }

  @Override
  public String type() {
    return "ProcessPayment";
  }

  @Override
  public String step() {
    return STEP;
  }

  @Override
  public Class<ProcessPaymentCommand> payload() {
    return ProcessPaymentCommand.class;
  }

  @Override
  public UUID subject(ProcessPaymentCommand command) {
    return command.orderId();
  }

  /**
   * A step of an orchestrator charges an order once. The same command again is the inbox's affair;
   * a payment that is here already was made under another root key. Whoever asks for the same is
   * told what became of that one, for what he wants is the case. Whoever asks for another amount is
   * refused: an order's total never changes, so one of the two is not what it says it is, and no
   * money moves for it.
   */
  @Override
  public Decision<Payment> decide(
      ProcessPaymentCommand command, Found<Payment> found, Instant now) {
    return switch (found) {
      case Found.Nothing<Payment>() ->
          Decision.callOut((scope, key) -> charge(new ChargeKey(scope, key), command, now));
      case Found.Running<Payment>() -> Decision.waitFor(STEP);
      case Found.InDoubt<Payment>() -> throw new IllegalStateException("only what is undone is");
      case Found.Done<Payment>(Payment payment) when payment.isFor(command) -> payment.answer();
      case Found.Done<Payment>(Payment payment) ->
          Decision.refuse(new PaymentDeclined(command.orderId(), DeclineReason.ALREADY_PAID));
    };
  }

  /** Another orchestrator's order may have the same id, and another step charges something else. */
  @Override
  public boolean isAbout(Payment row, String scope, StepKey action) {
    StepKey charge = row.key().step();
    return charge.origin().equals(action.origin()) && charge.step().equals(action.step());
  }

  @Override
  public PaymentDeclined notDone(ProcessPaymentCommand command, NotDone why) {
    return new PaymentDeclined(command.orderId(), DeclineReason.of(why));
  }

  private Decision.Answer<Payment> charge(ChargeKey key, ProcessPaymentCommand command, Instant now)
      throws InterruptedException {
    UUID id = OutboxMessage.newId();
    Payment payment =
        switch (gateway.charge(key, command)) {
          case Outcome.Charged(String reference) ->
              Payment.charged(id, key, command, reference, now);
          case Outcome.Declined(DeclineReason reason) ->
              Payment.declined(id, key, command, reason, now);
        };
    return payment.answer().save(payment);
  }
}
