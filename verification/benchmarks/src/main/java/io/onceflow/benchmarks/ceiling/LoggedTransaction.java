package io.onceflow.benchmarks.ceiling;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** A transaction as it was logged: its statements, without those that start or end it. */
final class LoggedTransaction {

  private final String database;
  private final List<LoggedStatement> statements = new ArrayList<>();
  private boolean isRolledBack;

  private LoggedTransaction(String database) {
    this.database = database;
  }

  /** Those of a log that were not rolled back, in the order of their first statements' ends. */
  static List<LoggedTransaction> of(List<LoggedStatement> log) {
    Map<String, LoggedTransaction> all = new LinkedHashMap<>();
    Map<String, LoggedTransaction> open = new LinkedHashMap<>();
    for (LoggedStatement logged : log) {
      if (logged.isEnd()) {
        LoggedTransaction ended = open.remove(logged.session());
        if (ended != null) {
          ended.isRolledBack = logged.isRollback();
        }
      } else if (!logged.isControl()) {
        String name = logged.session() + " " + logged.transaction();
        LoggedTransaction its =
            all.computeIfAbsent(name, ignored -> new LoggedTransaction(logged.database()));
        its.statements.add(logged);
        open.put(logged.session(), its);
      }
    }
    return all.values().stream().filter(it -> !it.isRolledBack).toList();
  }

  String database() {
    return database;
  }

  List<LoggedStatement> statements() {
    return statements;
  }

  /** The UUIDs in its statements' parameters. */
  Set<String> tokens() {
    return tokens(statement -> true);
  }

  /** The UUIDs of the rows that it has put into the outbox, and of what they are about. */
  Set<String> sent() {
    return tokens(LoggedStatement::isOutboxInsert);
  }

  /** Whether all that it does is to take rows out of the outbox. */
  boolean isRelays() {
    return statements.stream().anyMatch(LoggedStatement::isRelayDelete)
        && statements.stream().noneMatch(LoggedStatement::isOutboxInsert);
  }

  private Set<String> tokens(Predicate<LoggedStatement> of) {
    Set<String> tokens = new HashSet<>();
    statements.stream().filter(of).forEach(it -> tokens.addAll(SagaTokens.in(it.parameters())));
    return tokens;
  }
}
