package io.onceflow.saga.internal.store.view;

import io.onceflow.internal.queue.LowWaterMark;
import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

/**
 * Where the timers of sagas that have not ended start, in the index of timers, by definition: what
 * lies before is dead, and stays there while another transaction keeps its snapshot. Timers that
 * were set to an earlier time since, and definitions of other applications that were not used, are
 * seen by the next look from the start.
 */
public final class OpenTimers {

  /**
   * The sagas that have not ended, for a FROM; its parameters are the definitions and times of
   * {@link Known}. Nothing is later than infinity: a range with two ends is expected to be a small
   * part of the table, one with one end a third of it, ended sagas included. Among millions of them
   * that is the plan that reads them all.
   */
  private static final String OPEN =
      """
      unnest(?::text[], ?::timestamptz[]) AS timer (definition, first)
      CROSS JOIN LATERAL (
        SELECT *
        FROM   saga_instance
        WHERE  definition = timer.definition
        AND    next_action_at >= %s
        AND    next_action_at <= 'infinity'
        %s
      ) AS saga
      """;

  /** Keeps the planner from taking the two apart. */
  private static final String APART = "OFFSET 0";

  /** For numbers that are read often, and need not be exact while a snapshot is held. */
  static final String ABOUT_ALL = OPEN.formatted("timer.first", APART);

  /** With the timers that operators have set to now. */
  static final String ALL = OPEN.formatted(withEarlier(), APART);

  /**
   * Of each definition those whose timers are the latest and that are not on hold; one more
   * parameter is how many.
   */
  static final String LATEST =
      OPEN.formatted(
          withEarlier(),
          """
          AND    hold IS NULL
                  ORDER BY next_action_at DESC
                  LIMIT ?\
          """);

  /** Goes from definition to definition. In quarantine a timer is at infinity. */
  private static final String FIRST =
      """
      WITH RECURSIVE timer AS (
        (SELECT   definition, next_action_at
         FROM     saga_instance
         WHERE    next_action_at IS NOT NULL
         ORDER BY definition, next_action_at
         LIMIT    1)
        UNION ALL
        SELECT   later.*
        FROM     timer,
                 LATERAL (SELECT   definition, next_action_at
                          FROM     saga_instance
                          WHERE    next_action_at IS NOT NULL
                          AND      definition > timer.definition
                          ORDER BY definition, next_action_at
                          LIMIT    1) AS later
      )
      SELECT definition, least(next_action_at, now()) AS first
      FROM   timer
      UNION ALL
      SELECT definition, now()                     -- its first saga is yet to come
      FROM   unnest(?::text[]) AS own (definition)
      WHERE  definition NOT IN (SELECT definition FROM timer)
      """;

  private static final String LATER =
      """
      SELECT definition,
             -- No later than now: the next saga's timer may come before all others.
             least(now(),
                   coalesce((SELECT   next_action_at
                             FROM     saga_instance saga
                             WHERE    saga.definition = timer.definition
                             AND      next_action_at >= first
                             AND      next_action_at < 'infinity'
                             ORDER BY next_action_at
                             LIMIT    1), first)) AS first
      FROM   unnest(?::text[], ?::timestamptz[]) AS timer (definition, first)
      """;

  private static String withEarlier() {
    return "least(timer.first, now() - " + LowWaterMark.MARGIN + ")";
  }

  private static final Known NONE_KNOWN = new Known(List.of());

  private final List<String> definitions;
  private final LowWaterMark<Known> mark;

  /** Of all definitions that have open sagas at a look from the start. */
  public OpenTimers(DataSource database) {
    this(database, List.of());
  }

  /**
   * Those of an application.
   *
   * @param definitions the names of its definitions; their sagas are seen at once, also when there
   *     was none at the last look from the start
   */
  public OpenTimers(DataSource database, Collection<String> definitions) {
    this(database, definitions, System::nanoTime);
  }

  /** With another clock, for tests. */
  public OpenTimers(DataSource database, Collection<String> definitions, LongSupplier nanoTime) {
    this.definitions = List.copyOf(Set.copyOf(definitions));
    this.mark = new LowWaterMark<>(database, NONE_KNOWN, this::recent, nanoTime);
  }

  /** The first timer of a definition's sagas. */
  private record First(String definition, Instant time) {

    static First of(Row row) throws SQLException {
      return new First(row.text("definition"), row.time("first"));
    }
  }

  /** The first timers of all definitions that have open sagas. */
  static final class Known {

    private final List<First> firsts;

    private Known(List<First> firsts) {
      this.firsts = firsts;
    }

    Column definitions() {
      return Column.texts(firsts, First::definition);
    }

    Column times() {
      return Column.times(firsts, First::time);
    }
  }

  /** Of this application's definitions, those of the last minute and to come. */
  private Known recent() {
    Instant recent = Instant.now().minus(LowWaterMark.HELD);
    return new Known(definitions.stream().map(name -> new First(name, recent)).toList());
  }

  Known find(Connection tx) throws SQLException {
    return mark.find(tx, this::look);
  }

  private Known look(Connection tx, Known known) throws SQLException {
    return known == NONE_KNOWN
        ? new Known(Sql.query(tx, FIRST, First::of, Column.texts(definitions)))
        : new Known(Sql.query(tx, LATER, First::of, known.definitions(), known.times()));
  }
}
