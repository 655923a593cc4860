package io.onceflow.inbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
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
record Deciding<S>(InboxStore inbox, Rows<S> rows, Clock clock) {

  /** One decision per command, in their order. */
  List<Decision<S>> decide(Connection connection, List<Command<?, S>> commands)
      throws SQLException {
    if (commands.isEmpty()) {
      return List.of();
    }
    Map<InboxRow.Id, InboxRow> undone = inbox.find(connection, undoneIds(commands));
    Map<UUID, List<S>> subjects =
        rows.load(connection, commands.stream().map(Command::subject).collect(Collectors.toSet()));
    Instant now = clock.instant();
    return commands.stream().map(command -> decide(command, undone, subjects, now)).toList();
  }

  private static <S> Set<InboxRow.Id> undoneIds(List<Command<?, S>> commands) {
    return commands.stream()
        .map(Command::undoneId)
        .flatMap(Optional::stream)
        .collect(Collectors.toSet());
  }

  private static <C, S> Decision<S> decide(
      Command<C, S> command,
      Map<InboxRow.Id, InboxRow> undone,
      Map<UUID, List<S>> subjects,
      Instant now) {
    S row = command.rowOf(subjects.getOrDefault(command.subject(), List.of()));
    Decision<S> decision =
        command.handler().decide(command.payload(), found(command, undone, row), now);
    return switch (decision) {
      case Decision.Answer<S> answer when answer.tombstone() != null ->
          withTombstone(command, answer, command.undoneId().map(undone::get));
      case Decision.CallOut<S> out when out.isUndoing() -> byUndoneKey(command, out);
      default -> decision;
    };
  }

  private static <S> Decision<S> byUndoneKey(Command<?, S> command, Decision.CallOut<S> out) {
    StepKey action =
        command
            .undoneKey()
            .orElseThrow(() -> new IllegalStateException(command + " undoes nothing"));
    return Decision.callOut((scope, ownKey) -> out.call().with(scope, action));
  }

  /**
   * The answer with its tombstone, if that has a place to stand. The action's row may be there
   * without there being anything to undo: as a tombstone already, or completed without effect, such
   * as declined. Then it will never happen anyway, and a tombstone would only collide with it.
   */
  private static <S> Decision<S> withTombstone(
      Command<?, S> command, Decision.Answer<S> answer, Optional<InboxRow> action) {
    if (!command.handler().undoes().equals(Optional.ofNullable(answer.tombstone()))) {
      throw new IllegalStateException(
          "%s leaves a tombstone for %s, which is not the step that it undoes"
              .formatted(command, answer.tombstone()));
    }
    if (action.isEmpty()) {
      return answer;
    }
    if (action.get().status() == InboxRow.Status.STARTED) {
      throw new IllegalStateException(
          "%s leaves a tombstone for %s, which is running; wait for it"
              .formatted(command, answer.tombstone()));
    }
    return answer.withoutTombstone();
  }

  private static <S> Found<S> found(
      Command<?, S> command, Map<InboxRow.Id, InboxRow> undone, @Nullable S subject) {
    return command
        .undoneId()
        .map(id -> foundAction(undone.get(id), subject))
        .orElseGet(() -> done(subject));
  }

  private static <S> Found<S> foundAction(@Nullable InboxRow action, @Nullable S written) {
    if (action == null) {
      return done(written);
    }
    return switch (action.status()) {
      case STARTED -> new Found.Running<>();
      case TOMBSTONE -> new Found.Nothing<>();
      case COMPLETED -> written == null ? new Found.InDoubt<>() : new Found.Done<>(written);
    };
  }

  private static <S> Found<S> done(@Nullable S subject) {
    return subject == null ? new Found.Nothing<>() : new Found.Done<>(subject);
  }
}
