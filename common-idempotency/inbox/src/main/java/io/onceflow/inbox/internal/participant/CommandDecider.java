package io.onceflow.inbox.internal.participant;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.core.internal.StepKey;
import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.inbox.internal.InboxStore;
import io.onceflow.inbox.internal.StepOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Loads what commands concern, all in two queries, and lets their handlers decide.
 *
 * @param <S> the business row
 */
record CommandDecider<S>(
    InboxStore inbox,
    ParticipantRepository<S> rows,
    PendingActions<S> pendingActions,
    ObjectMapper json) {

  /** One decision per command, in their order. */
  List<Decision<S>> decide(Connection connection, List<ResolvedCommand<?, S>> commands)
      throws SQLException {
    return decide(connection, commands, inbox.find(connection, undoneIds(commands)));
  }

  /**
   * The same.
   *
   * @param undone the rows of the actions that the commands undo, as far as there are any
   */
  List<Decision<S>> decide(
      Connection connection,
      List<ResolvedCommand<?, S>> commands,
      Map<InboxRow.Id, InboxRow> undone)
      throws SQLException {
    if (commands.isEmpty()) {
      return List.of();
    }
    Map<InboxRow.Id, InboxRow> actions =
        pendingActions.ended(connection, undone, undoneIds(commands));
    Map<ParticipantRepository<S>, Map<UUID, List<S>>> subjects = load(connection, commands);
    List<Decision<S>> decisions = new ArrayList<>();
    for (ResolvedCommand<?, S> command : commands) {
      List<S> ofSubject =
          subjects
              .getOrDefault(command.handler().rows(rows), Map.of())
              .getOrDefault(command.subject(), List.of());
      decisions.add(decide(command, actions, ofSubject));
    }
    return decisions;
  }

  /** The rows of all commands, in one query for each kind of rows. */
  private Map<ParticipantRepository<S>, Map<UUID, List<S>>> load(
      Connection connection, List<ResolvedCommand<?, S>> commands) throws SQLException {
    Map<ParticipantRepository<S>, Set<UUID>> wanted = new LinkedHashMap<>();
    for (ResolvedCommand<?, S> command : commands) {
      wanted
          .computeIfAbsent(command.handler().rows(rows), its -> new HashSet<>())
          .add(command.subject());
    }
    Map<ParticipantRepository<S>, Map<UUID, List<S>>> loaded = new HashMap<>();
    for (Map.Entry<ParticipantRepository<S>, Set<UUID>> kind : wanted.entrySet()) {
      loaded.put(kind.getKey(), kind.getKey().load(connection, kind.getValue()));
    }
    return loaded;
  }

  /**
   * Of steps that have called out, those whose rows are not what their handlers saw. Locks the
   * rows; of several steps for one subject the first may write.
   */
  Set<InboxRow.Id> overtaken(Connection connection, List<LeasedCommand<S>> called)
      throws SQLException {
    Map<ParticipantRepository<S>, Map<UUID, List<S>>> now =
        load(
            connection,
            called.stream().<ResolvedCommand<?, S>>map(LeasedCommand::command).toList());
    Set<InboxRow.Id> overtaken = new HashSet<>();
    Set<UUID> written = new HashSet<>();
    for (LeasedCommand<S> step : called) {
      UUID subject = step.command().subject();
      List<S> rowsNow =
          now.getOrDefault(step.command().handler().rows(rows), Map.of())
              .getOrDefault(subject, List.of());
      if (!step.seen().equals(rowsNow) || !written.add(subject)) {
        overtaken.add(step.row().id());
      }
    }
    return overtaken;
  }

  private static <S> Set<InboxRow.Id> undoneIds(List<ResolvedCommand<?, S>> commands) {
    return commands.stream()
        .map(ResolvedCommand::undoneId)
        .flatMap(Optional::stream)
        .collect(Collectors.toSet());
  }

  private <C> Decision<S> decide(
      ResolvedCommand<C, S> command, Map<InboxRow.Id, InboxRow> undone, List<S> ofSubject) {
    StepView<S> step =
        new StepView<>(
            command.message().scope(),
            command.key(),
            command
                .undoneKey()
                .map(key -> action(key, undone.get(InboxRow.Id.of(command.message(), key)))),
            ofSubject);
    Decision<S> decision = command.handler().decide(command.payload(), step);
    return switch (decision) {
      case Decision.Answer<S> answer when answer.isTombstone() ->
          withTombstone(command, answer, command.undoneId().map(undone::get));
      case Decision.CallOut<S> out when command.handler().rows(rows).areComparable() ->
          out.seeing(ofSubject);
      default -> decision;
    };
  }

  /**
   * The answer with its tombstone, if that has a place to stand. The action's row may be there
   * without there being anything to undo: as a tombstone already, or completed without effect, such
   * as declined. Then it will never happen anyway, and a tombstone would only collide with it.
   */
  private static <S> Decision<S> withTombstone(
      ResolvedCommand<?, S> command, Decision.Answer<S> answer, Optional<InboxRow> action) {
    if (action.isEmpty()) {
      return answer;
    }
    if (action.get().status() == InboxRow.Status.STARTED) {
      throw new IllegalStateException(
          "%s leaves a tombstone for an action that is running; wait for it".formatted(command));
    }
    return answer.withoutTombstone();
  }

  private StepView.Action action(StepKey key, @Nullable InboxRow row) {
    if (row == null) {
      return new StepView.Action(key, StepView.State.UNKNOWN, null);
    }
    return switch (row.status()) {
      case STARTED -> new StepView.Action(key, StepView.State.RUNNING, null);
      case TOMBSTONE -> new StepView.Action(key, StepView.State.TOMBSTONE, null);
      case COMPLETED ->
          new StepView.Action(
              key, StepView.State.ENDED, StepOutcome.stored(String.valueOf(row.outcome()), json));
    };
  }
}
