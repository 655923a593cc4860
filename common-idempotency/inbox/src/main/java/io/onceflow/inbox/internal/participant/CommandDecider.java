package io.onceflow.inbox.internal.participant;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.inbox.internal.InboxStore;
import io.onceflow.inbox.internal.StepOutcome;
import io.onceflow.participant.Answer;
import io.onceflow.participant.internal.StepView;
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

/** Loads what commands concern, all in two queries, and lets their handlers decide. */
record CommandDecider(InboxStore inbox, PendingActions pendingActions, ObjectMapper json) {

  /** One decision per command, in their order. */
  List<Decision> decide(Connection connection, List<ResolvedCommand> commands) throws SQLException {
    return decide(connection, commands, inbox.find(connection, undoneIds(commands)));
  }

  /**
   * The same.
   *
   * @param undone the rows of the actions that the commands undo, as far as there are any
   */
  List<Decision> decide(
      Connection connection, List<ResolvedCommand> commands, Map<InboxRow.Id, InboxRow> undone)
      throws SQLException {
    if (commands.isEmpty()) {
      return List.of();
    }
    Map<InboxRow.Id, InboxRow> actions =
        pendingActions.ended(connection, undone, undoneIds(commands));
    Map<ParticipantRepository<Object>, Map<UUID, List<Object>>> subjects =
        load(connection, commands);
    List<Decision> decisions = new ArrayList<>();
    for (ResolvedCommand command : commands) {
      List<Object> ofSubject =
          subjects
              .getOrDefault(command.handler().rows(), Map.of())
              .getOrDefault(command.subject(), List.of());
      decisions.add(decide(command, actions, ofSubject));
    }
    return decisions;
  }

  /** The rows of all commands, in one query for each kind of rows. */
  private Map<ParticipantRepository<Object>, Map<UUID, List<Object>>> load(
      Connection connection, List<ResolvedCommand> commands) throws SQLException {
    Map<ParticipantRepository<Object>, Set<UUID>> wanted = new LinkedHashMap<>();
    for (ResolvedCommand command : commands) {
      wanted
          .computeIfAbsent(command.handler().rows(), its -> new HashSet<>())
          .add(command.subject());
    }
    Map<ParticipantRepository<Object>, Map<UUID, List<Object>>> loaded = new HashMap<>();
    for (Map.Entry<ParticipantRepository<Object>, Set<UUID>> kind : wanted.entrySet()) {
      loaded.put(kind.getKey(), kind.getKey().load(connection, kind.getValue()));
    }
    return loaded;
  }

  /**
   * Of steps that have called out, those whose rows are not what their handlers saw. Locks the
   * rows; of several steps for one subject the first may write.
   */
  Set<InboxRow.Id> overtaken(Connection connection, List<PendingCall> called) throws SQLException {
    Map<ParticipantRepository<Object>, Map<UUID, List<Object>>> now =
        load(connection, called.stream().map(call -> call.leased().command()).toList());
    Set<InboxRow.Id> overtaken = new HashSet<>();
    Set<UUID> written = new HashSet<>();
    for (PendingCall call : called) {
      LeasedCommand step = call.leased();
      UUID subject = step.command().subject();
      List<Object> rowsNow =
          now.getOrDefault(step.command().handler().rows(), Map.of())
              .getOrDefault(subject, List.of());
      if (!call.seen().equals(rowsNow) || !written.add(subject)) {
        overtaken.add(step.row().id());
      }
    }
    return overtaken;
  }

  private static Set<InboxRow.Id> undoneIds(List<ResolvedCommand> commands) {
    return commands.stream()
        .map(ResolvedCommand::undoneId)
        .flatMap(Optional::stream)
        .collect(Collectors.toSet());
  }

  private Decision decide(
      ResolvedCommand command, Map<InboxRow.Id, InboxRow> actions, List<Object> rows) {
    Optional<InboxRow.Id> undone = command.undoneId();
    return undone.isEmpty()
        ? handle(command, command.step(null, rows))
        : compensate(command, actions.get(undone.get()), rows);
  }

  /** Rule 6: a compensation never misses its action. */
  private Decision compensate(
      ResolvedCommand command, @Nullable InboxRow action, List<Object> rows) {
    if (action == null) {
      // The inbox forgets what ended long ago; the row that it wrote does not.
      StepView step = command.step(null, rows);
      return command.handler().isWritten(step)
          ? handle(command, step)
          : new Decision(command.nothingToUndo(), true, List.of());
    }
    return switch (action.status()) {
      case STARTED -> Decision.WAIT_FOR_ACTION;
      case TOMBSTONE -> Decision.of(command.nothingToUndo());
      case COMPLETED -> {
        StepOutcome reply = StepOutcome.stored(String.valueOf(action.outcome()), json);
        yield reply.mayHaveBeenDone()
            ? handle(command, command.step(reply, rows))
            : Decision.of(command.nothingToUndo());
      }
    };
  }

  private static Decision handle(ResolvedCommand command, StepView step) {
    Answer answer = command.handler().handle(command.payload(), step);
    return answer instanceof Answer.Call && command.handler().rows().areComparable()
        ? new Decision(answer, false, step.rows())
        : Decision.of(answer);
  }
}
