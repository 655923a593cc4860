package io.onceflow.inbox.internal.participant;

import io.onceflow.core.internal.StepKey;
import io.onceflow.inbox.internal.StepOutcome;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a handler sees of the step that its command is for.
 *
 * @param scope whose step it is
 * @param key the step's key
 * @param undone for a compensation the action that it undoes; empty for an action
 * @param rows the business rows of the command's subject
 * @param <S> the business row
 */
public record StepView<S>(String scope, StepKey key, Optional<Action> undone, List<S> rows) {

  /** Copies the rows. */
  public StepView {
    rows = List.copyOf(rows);
  }

  /** What the inbox knows of an action. */
  public enum State {
    /** The inbox has no row of it: it never began, or its row is older than the retention. */
    UNKNOWN,
    /** It began and has not ended. */
    RUNNING,
    /** A compensation came first: it never began, and never will. */
    TOMBSTONE,
    /** It ended, and was answered. */
    ENDED
  }

  /**
   * The action that a compensation undoes.
   *
   * @param reply what it was answered; null unless it has ended
   */
  public record Action(StepKey key, State state, @Nullable StepOutcome reply) {}
}
