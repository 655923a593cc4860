package io.onceflow.payment.domain;

import io.onceflow.core.StepKey;

/**
 * What the gateway knows one charge or refund by, however often it is asked for.
 *
 * @param scope whose step it is; keys of different scopes never meet
 * @param step the step's key, whose origin keeps the charges of two orchestrators apart
 */
public record ChargeKey(String scope, StepKey step) {

  /**
   * The key of this charge's refund. It follows from the charge, not from who asks: two commands
   * that would give the same charge back are one refund to the gateway.
   */
  public ChargeKey refund() {
    String refund =
        step.step().equals(ProcessPayment.STEP) ? RefundPayment.STEP : step.step() + "+refund";
    return new ChargeKey(scope, step.sibling(refund));
  }

  @Override
  public String toString() {
    return step.toString();
  }
}
