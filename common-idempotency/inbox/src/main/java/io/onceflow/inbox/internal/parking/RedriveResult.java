package io.onceflow.inbox.internal.parking;

import java.util.function.UnaryOperator;

/**
 * The result of an operator's request to redrive a parked message.
 *
 * @param detail says why, for the operator; empty where there is nothing to add
 */
public record RedriveResult(Outcome outcome, String detail) {

  /** With its detail changed, such as to hide a secret. */
  public RedriveResult with(UnaryOperator<String> change) {
    return new RedriveResult(outcome, change.apply(detail));
  }

  /** The possible results. In every case but the first the message stays parked. */
  public enum Outcome {
    /** It was settled and is not parked any more. */
    REDRIVEN("redriven"),
    /** It is not parked here, or not any more. */
    NOT_PARKED("not-parked"),
    /** It still cannot be handled; the reason that it is parked for has been written again. */
    STILL_UNHANDLED("still-unhandled"),
    /** Its saga does not want it any more. */
    SAGA_ENDED("saga-ended"),
    /** Its saga could not be asked. */
    SAGA_NOT_ASKED("saga-not-asked"),
    /** It was edited while it was being redriven; what was to be redriven is not there any more. */
    EDITED_MEANWHILE("edited-meanwhile"),
    /** Its editor may not redrive it. */
    SECOND_OPERATOR_NEEDED("second-operator-needed"),
    /** It was parked too long ago for the inbox to know for sure what was done since (rule 14). */
    TOO_OLD("parked-too-long");

    private final String word;

    Outcome(String word) {
      this.word = word;
    }

    /** The stable word for it. */
    public String word() {
      return word;
    }
  }
}
