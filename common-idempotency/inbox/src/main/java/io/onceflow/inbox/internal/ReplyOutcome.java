package io.onceflow.inbox.internal;

import com.fasterxml.jackson.annotation.JsonValue;
import io.onceflow.inbox.internal.participant.Rejection;
import java.util.Arrays;
import java.util.Optional;

/** What a reply says of its step, whatever its type; the words of the header {@code x-outcome}. */
public enum ReplyOutcome {
  /** The step is done; so is a compensation that found nothing to undo. */
  DONE("done"),
  /** The participant's business refuses the step; nothing was done. */
  REFUSED("refused"),
  /** The compensation came first: the step was never done and never will be (rule 6). */
  CANCELLED("cancelled"),
  /** The command was read after {@code x-expires-at}: never done, and never will be (rule 11). */
  EXPIRED("expired"),
  /** The attempts are used up and the result is unknown: the step may have been done. */
  UNAVAILABLE("unavailable");

  private final String word;

  ReplyOutcome(String word) {
    this.word = word;
  }

  /** The stable word for it. */
  @JsonValue
  public String word() {
    return word;
  }

  /** The outcome of this word; empty where there is none. */
  public static Optional<ReplyOutcome> of(String word) {
    return Arrays.stream(values()).filter(it -> it.word.equals(word)).findFirst();
  }

  public static ReplyOutcome of(Rejection why) {
    return switch (why) {
      case CANCELLED -> CANCELLED;
      case EXPIRED -> EXPIRED;
      case UNAVAILABLE -> UNAVAILABLE;
    };
  }
}
