package io.onceflow.saga.internal.messaging;

import io.onceflow.message.Refused;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.saga.internal.Reply;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A reply whose meaning is in its outcome.
 *
 * @param step that it answers
 * @param refusal empty when the step is done, or pending
 * @param type the AMQP type
 * @param content the record; null where the definition maps none
 */
public record RecordReply(
    String step,
    Optional<String> refusal,
    boolean isInDoubt,
    boolean saysPending,
    String type,
    @Nullable Object content)
    implements Reply {

  /**
   * Makes a reply of what a message says.
   *
   * @param reason that a refusal gives; asked for only where the reply is one
   */
  public static RecordReply of(
      String step,
      String type,
      ReplyOutcome outcome,
      @Nullable Object content,
      Supplier<String> reason) {
    return new RecordReply(
        step,
        refusal(outcome, content, reason),
        outcome == ReplyOutcome.UNAVAILABLE,
        outcome == ReplyOutcome.PENDING,
        type,
        content);
  }

  private static Optional<String> refusal(
      ReplyOutcome outcome, @Nullable Object content, Supplier<String> reason) {
    return switch (outcome) {
      case DONE, PENDING -> Optional.empty();
      case REFUSED -> Optional.of(own(content).orElseGet(reason));
      case CANCELLED, EXPIRED, UNAVAILABLE -> Optional.of(own(content).orElse(outcome.name()));
    };
  }

  private static Optional<String> own(@Nullable Object content) {
    return content instanceof Refused.WithReason refused
        ? Optional.of(refused.refusalReason())
        : Optional.empty();
  }
}
