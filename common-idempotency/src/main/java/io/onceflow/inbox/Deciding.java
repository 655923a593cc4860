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
record Deciding<S>(InboxTable inbox, Rows<S> rows, Clock clock) {

  /** One decision per command, in their order. */
  List<Decision<S>> decide(Connection connection, List<Command<?, S>> commands)
      throws SQLException {
    if (commands.isEmpty()) {
      return List.of();
    }
    Map<InboxRow.Id, InboxRow> undone = inbox.find(connection, undoneIds(commands));
    Map<UUID, S> subjects =
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
      Map<UUID, S> subjects,
      Instant now) {
    Found<S> found = found(command, undone, subjects.get(command.subject()));
    Decision<S> decision = command.handler().decide(command.payload(), found, now);
    return decision instanceof Decision.Answer<S> answer && isTombstone(command, undone)
        ? answer.withoutTombstone()
        : decision;
  }

  /**
   * The action's place is taken by a tombstone already: a second one would only collide with it.
   */
  private static <S> boolean isTombstone(Command<?, S> command, Map<InboxRow.Id, InboxRow> undone) {
    return command
        .undoneId()
        .map(undone::get)
        .filter(row -> row.status() == InboxRow.Status.TOMBSTONE)
        .isPresent();
  }

  private static <S> Found<S> found(
      Command<?, S> command, Map<InboxRow.Id, InboxRow> undone, @Nullable S subject) {
    return command
        .undoneId()
        .map(id -> foundAction(undone.get(id), subject))
        .orElseGet(() -> done(subject));
  }

  private static <S> Found<S> foundAction(@Nullable InboxRow action, @Nullable S subject) {
    if (action == null) {
      return new Found.Nothing<>();
    }
    return switch (action.status()) {
      case STARTED -> new Found.Running<>();
      case TOMBSTONE -> new Found.Nothing<>();
      case COMPLETED -> done(subject);
    };
  }

  private static <S> Found<S> done(@Nullable S subject) {
    return subject == null ? new Found.Nothing<>() : new Found.Done<>(subject);
  }
}
