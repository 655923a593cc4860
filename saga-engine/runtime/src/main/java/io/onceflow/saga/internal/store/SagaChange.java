package io.onceflow.saga.internal.store;

import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.saga.internal.engine.SagaState;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The change of a saga since it was loaded, caused by one event or several.
 *
 * @param before as loaded, with every step of its definition
 * @param after as it is to be stored, with every step of its definition
 * @param history what is to be added
 * @param origin where the saga came from, for observers; null where there are none
 * @param commands what was last sent for its steps
 */
public record SagaChange(
    SagaState before,
    SagaState after,
    List<HistoryEntry> history,
    @Nullable SagaOrigin origin,
    SentCommands commands) {

  private static final Set<HistoryEvent> REQUESTS =
      EnumSet.of(
          HistoryEvent.RETRY_REQUESTED,
          HistoryEvent.CANCEL_REQUESTED,
          HistoryEvent.COMPENSATION_REQUESTED);

  /** Whether it goes on from where it was, or an operator has asked for that. */
  boolean hasMoved() {
    return after.differsFrom(before)
        || history.stream().anyMatch(entry -> REQUESTS.contains(entry.event()));
  }

  /** What is answered of its commands. */
  List<JournaledCommand.Of> answered() {
    return commands.answered().stream()
        .map(command -> new JournaledCommand.Of(after.id(), command))
        .toList();
  }

  boolean isReal() {
    return after.revision() != before.revision();
  }
}
