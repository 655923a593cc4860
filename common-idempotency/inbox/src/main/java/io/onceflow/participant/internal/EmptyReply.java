package io.onceflow.participant.internal;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.onceflow.participant.Answer.ReplyOutcome;

/** Replies of which only the outcome matters; the AMQP type is the record's name. */
sealed interface EmptyReply {

  /** Known annotations let Jackson write a record without components. */
  @JsonIgnoreProperties
  record StepDone() implements EmptyReply {}

  @JsonIgnoreProperties
  record StepRefused() implements EmptyReply {}

  @JsonIgnoreProperties
  record StepCancelled() implements EmptyReply {}

  @JsonIgnoreProperties
  record StepExpired() implements EmptyReply {}

  @JsonIgnoreProperties
  record StepUnavailable() implements EmptyReply {}

  static EmptyReply of(ReplyOutcome outcome) {
    return switch (outcome) {
      case DONE -> new StepDone();
      case REFUSED -> new StepRefused();
      case CANCELLED -> new StepCancelled();
      case EXPIRED -> new StepExpired();
      case UNAVAILABLE -> new StepUnavailable();
      case PENDING -> throw new IllegalArgumentException("a pending step has no reply record");
    };
  }
}
