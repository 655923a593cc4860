package io.onceflow.saga.internal.store.view;

import io.onceflow.saga.internal.Reply;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.saga.internal.engine.SagaEvent;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answer that an operator gives in a participant's place: a compensation is not waited for any
 * more, and the saga continues as if it had been done. What the participant says of it later
 * contradicts that, and is parked.
 *
 * @param step the compensation, such as {@code refund-payment}
 * @param type what histories have of it: who skipped it and why
 */
public record SkippedCompensation(String step, String type) implements Reply {

  private static final String SKIPPED = "skipped ";

  /**
   * The event of it.
   *
   * @param by who and why, as histories have it
   */
  public static SagaEvent.Replied event(String compensation, String by) {
    return new SagaEvent.Replied(
        new SkippedCompensation(compensation, SKIPPED + by), compensation, "skipped");
  }

  /** Who skipped the compensation of a step, and why; null where it was not skipped. */
  static @Nullable String of(String step, List<HistoryEntry> history) {
    return history.stream()
        .filter(entry -> entry.event() == HistoryEvent.COMPENSATED && step.equals(entry.step()))
        .map(HistoryEntry::detail)
        .filter(detail -> detail != null && detail.startsWith(SKIPPED))
        .map(detail -> detail.substring(SKIPPED.length()))
        .findFirst()
        .orElse(null);
  }

  @Override
  public Optional<String> refusal() {
    return Optional.empty();
  }

  @Override
  public @Nullable Object content() {
    return null;
  }
}
