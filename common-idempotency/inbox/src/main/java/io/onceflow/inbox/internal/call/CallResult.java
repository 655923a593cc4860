package io.onceflow.inbox.internal.call;

import io.onceflow.inbox.internal.consumer.BatchItem;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.participant.LeasedCommand;
import io.onceflow.inbox.internal.participant.PendingCall;
import io.onceflow.participant.Answer;
import org.jspecify.annotations.Nullable;

/** The result of a call; exactly one of answer and failure is present. */
public record CallResult(PendingCall call, @Nullable Answer answer, @Nullable Exception failure)
    implements BatchItem {

  /** The step that it is of. */
  public LeasedCommand leased() {
    return call.leased();
  }

  /** Whether business rows are written with it. */
  public boolean hasRows() {
    return switch (answer) {
      case Answer.Reply reply -> !reply.rows().isEmpty();
      case Answer.Pending pending -> !pending.rows().isEmpty();
      case Answer.Call call -> false;
      case null -> false;
    };
  }

  /** The command's, if it is acknowledged with this result. */
  @Override
  public @Nullable Delivery delivery() {
    return leased().held();
  }
}
