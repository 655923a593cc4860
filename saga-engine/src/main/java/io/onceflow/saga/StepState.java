package io.onceflow.saga;

import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How far a step of a running saga has come. Its verbs guard it: each throws {@link
 * IllegalStateException} where {@link StepStatus} draws no such line.
 *
 * @param name the step's name in the definition
 * @param action the command and its reply; a local step counts as sent and answered when it ran
 * @param compensation the compensation's command and its reply
 * @param dueAt when whichever of the two is awaited is sent again; null when none is
 */
public record StepState(
    String name,
    StepStatus status,
    Exchange action,
    Exchange compensation,
    @Nullable Instant dueAt) {

  static StepState pending(String name) {
    return new StepState(name, StepStatus.PENDING, Exchange.NONE, Exchange.NONE, null);
  }

  /** How often the step's command was sent. */
  public int attempts() {
    return action.attempts();
  }

  /** When the step's command was last sent; null before the first time. */
  public @Nullable Instant sentAt() {
    return action.sentAt();
  }

  /** When the step was answered; null until then. */
  public @Nullable Instant repliedAt() {
    return action.repliedAt();
  }

  boolean isDue(Instant now) {
    return dueAt != null && !dueAt.isAfter(now);
  }

  StepState sent(Instant now, Instant dueAt) {
    guard("sent", StepStatus.PENDING, StepStatus.WAITING);
    return new StepState(name, StepStatus.WAITING, action.sent(now), compensation, dueAt);
  }

  StepState ran(Instant now) {
    guard("run", StepStatus.PENDING);
    return answered(StepStatus.SUCCEEDED, action.sent(now).replied(now));
  }

  StepState succeeded(Instant now) {
    guard("done", StepStatus.WAITING);
    return answered(StepStatus.SUCCEEDED, action.replied(now));
  }

  StepState refused(Instant now) {
    guard("refused", StepStatus.WAITING);
    return answered(StepStatus.REFUSED, action.replied(now));
  }

  StepState compensating(Instant now, Instant dueAt) {
    guard("compensated", StepStatus.SUCCEEDED, StepStatus.COMPENSATING);
    return new StepState(name, StepStatus.COMPENSATING, action, compensation.sent(now), dueAt);
  }

  StepState compensated(Instant now) {
    guard("done compensating", StepStatus.COMPENSATING);
    return new StepState(name, StepStatus.COMPENSATED, action, compensation.replied(now), null);
  }

  private StepState answered(StepStatus outcome, Exchange exchange) {
    return new StepState(name, outcome, exchange, compensation, null);
  }

  private void guard(String verb, StepStatus... from) {
    if (!Arrays.asList(from).contains(status)) {
      throw new IllegalStateException(
          "step %s is %s and cannot be %s; that needs %s"
              .formatted(name, status, verb, Arrays.toString(from)));
    }
  }
}
