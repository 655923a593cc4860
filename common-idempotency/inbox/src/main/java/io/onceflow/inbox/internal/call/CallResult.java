package io.onceflow.inbox.internal.call;

import io.onceflow.inbox.internal.consumer.BatchItem;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.participant.Decision;
import io.onceflow.inbox.internal.participant.LeasedCommand;
import org.jspecify.annotations.Nullable;

/**
 * The result of a call; exactly one of answer and failure is present.
 *
 * @param <S> the business row
 */
public record CallResult<S>(
    LeasedCommand<S> leased, Decision.@Nullable CallAnswer<S> answer, @Nullable Exception failure)
    implements BatchItem {

  /** The command's, if it is acknowledged with this result. */
  @Override
  public @Nullable Delivery delivery() {
    return leased.delivery();
  }
}
