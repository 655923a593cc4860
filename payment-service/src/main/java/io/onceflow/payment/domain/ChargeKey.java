package io.onceflow.payment.domain;

import io.onceflow.core.StepKey;
import io.onceflow.participant.CallKey;

/**
 * What the gateway knows one charge or refund by, however often it is asked for.
 *
 * @param scope whose step it is; keys of different scopes never meet
 * @param step the step's key, whose origin keeps the charges of two orchestrators apart
 */
public record ChargeKey(String scope, StepKey step) {

  private static final String CHARGE = "process-payment";
  private static final String REFUND = "refund-payment";

  /** The key of the charge that this step makes. */
  public static ChargeKey of(CallKey key) {
    return new ChargeKey(key.scope(), key.step());
  }

  /**
   * The key of this charge's refund. It follows from the charge, not from who asks: two commands
   * that would give the same charge back are one refund to the gateway.
   */
  public ChargeKey refund() {
    String refund = step.step().equals(CHARGE) ? REFUND : step.step() + "+refund";
    return new ChargeKey(scope, step.sibling(refund));
  }

  /**
   * Whether both are of one step, under whichever root keys. Another orchestrator's order may have
   * the same id, and another step charges something else.
   */
  public boolean isOfSameStep(ChargeKey other) {
    return step.origin().equals(other.step.origin()) && step.step().equals(other.step.step());
  }

  /**
   * Whether sagas of one application have both. An order of another application is another order,
   * even with the same id. Sagas that began before origins name none, and match all.
   */
  public boolean isOfSameApplication(ChargeKey other) {
    String ours = application();
    String theirs = other.application();
    return ours.isEmpty() || theirs.isEmpty() || ours.equals(theirs);
  }

  private String application() {
    int slash = step.origin().lastIndexOf('/');
    return slash < 0 ? step.origin() : step.origin().substring(0, slash);
  }

  @Override
  public String toString() {
    return step.toString();
  }
}
