package io.onceflow.inbox;

import io.onceflow.core.internal.StepKey;
import io.onceflow.inbox.internal.participant.CommandHandler;
import io.onceflow.inbox.internal.participant.Decision;
import io.onceflow.inbox.internal.participant.StepView;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A handler that decides by its participant's business rows: they say whether an action was done.
 *
 * @param <C> the command's payload
 * @param <S> the business row that the command concerns
 */
public interface RowHandler<C, S> extends CommandHandler<C, S> {

  /**
   * Decides.
   *
   * @param found for a compensation the action it undoes; for an action its subject's row, if any
   * @param key the step's key
   */
  Decision<S> decide(C command, FoundStep<S> found, StepKey key);

  /**
   * Whether a row of the subject is the one that an action is about. A subject may have several:
   * two orchestrators may use the same id, and a saga may have two steps with the same command.
   *
   * @param scope whose step the action is
   * @param action the key of the action
   */
  default boolean isAbout(S row, String scope, StepKey action) {
    return true;
  }

  /**
   * Whether a business row was written by this very action. A compensation is about that row alone:
   * what another saga did for the same subject is not its to undo. Where the action has ended and
   * no row is its, {@link #decide} gets {@link FoundStep.InDoubt}.
   *
   * @param scope whose step the action is
   * @param action the key of the step that this one undoes
   */
  default boolean wasWrittenBy(S row, String scope, StepKey action) {
    return false;
  }

  @Override
  default Decision<S> decide(C command, StepView<S> step) {
    return decide(command, found(step), step.key());
  }

  private FoundStep<S> found(StepView<S> step) {
    S row = rowOf(step);
    return step.undone().map(action -> found(action, row)).orElseGet(() -> done(row));
  }

  /** Of the rows of its subject the one that it is about, or null. */
  private @Nullable S rowOf(StepView<S> step) {
    Optional<StepKey> undone = step.undone().map(StepView.Action::key);
    return step.rows().stream()
        .filter(
            row ->
                undone.isPresent()
                    ? wasWrittenBy(row, step.scope(), undone.get())
                    : isAbout(row, step.scope(), step.key()))
        .findFirst()
        .orElse(null);
  }

  private static <S> FoundStep<S> found(StepView.Action action, @Nullable S written) {
    return switch (action.state()) {
      case UNKNOWN -> done(written);
      case RUNNING -> new FoundStep.Running<>();
      case TOMBSTONE -> new FoundStep.Nothing<>();
      case ENDED -> written == null ? new FoundStep.InDoubt<>() : new FoundStep.Done<>(written);
    };
  }

  private static <S> FoundStep<S> done(@Nullable S subject) {
    return subject == null ? new FoundStep.Nothing<>() : new FoundStep.Done<>(subject);
  }
}
