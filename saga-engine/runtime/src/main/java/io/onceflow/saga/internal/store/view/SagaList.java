package io.onceflow.saga.internal.store.view;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.store.SagaAttributes;
import io.onceflow.saga.internal.store.failure.FailingSagas;
import io.onceflow.saga.internal.store.hold.HoldColumn;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Lists the sagas of all definitions in the order of their ids, which are UUIDv7, so it is that of
 * time. A query that takes longer than two seconds is stopped, and fails as a statement that the
 * database did not finish.
 */
public final class SagaList {

  /** More are not counted: a number of that size is read as "many". */
  public static final int COUNTED = 10_000;

  private static final String AT_MOST = "SET LOCAL statement_timeout = '2s'";

  /** The index of subjects starts with the definition, of which there are few. */
  static final String OF_ANY_DEFINITION =
      """
      definition IN (WITH RECURSIVE name AS (
                         (SELECT definition
                          FROM   saga_instance
                          ORDER  BY definition
                          LIMIT  1)
                         UNION ALL
                         SELECT (SELECT definition
                                 FROM   saga_instance later
                                 WHERE  later.definition > name.definition
                                 ORDER  BY definition
                                 LIMIT  1)
                         FROM   name
                         WHERE  name.definition IS NOT NULL)
                       SELECT definition
                       FROM   name)\
      """;

  /** Not by the view of steps, which would look each open saga up by its id. */
  private static final String WAITS =
      """
      EXISTS (SELECT
                FROM   json_array_elements(steps) AS step
                WHERE  step ->> 'dueAt' IS NOT NULL
                %s)\
      """;

  private static final String AT_STEP = "AND    step ->> 'name' = ?";

  private static final String IN_DIRECTION = "AND    %s = ?".formatted(SagaCounts.DIRECTION);

  private static final String FOR_COMMAND =
      """
      AND    ? IN (step #>> '{command,routingKey}',
                             split_part(step #>> '{command,routingKey}', '.', 1))\
      """;

  private static final String REPAIRED =
      "id IN (SELECT saga_id FROM saga_repair_item WHERE repair_id = ? AND outcome = 'REPAIRED')";

  private static final String COLUMNS =
      """
      id, definition, version, subject_id, scope, status, reason, started_at, ended_at,
      next_action_at, quarantined_at, failures, quarantine_reason, hold\
      """;

  /** Those of a definition are in an index in the order of their ids. */
  private static final String ENDED =
      """
      (SELECT *
       FROM   saga_instance
       WHERE  next_action_at IS NULL
       AND    status = '%s') saga_instance\
      """;

  private static final String OPEN_OF_DEFINITION =
      """
      (SELECT *
       FROM   saga_instance
       WHERE  next_action_at IS NOT NULL
       AND    definition = ?
       OFFSET 0) saga_instance\
      """;

  private final List<String> conditions = new ArrayList<>();
  private final List<Object> values = new ArrayList<>();
  private final SagaFilter filter;
  private final SagaFilter.Page page;

  private SagaList(SagaFilter filter, SagaFilter.Page page) {
    this.filter = filter;
    this.page = page;
    SagaStatus status = filter.status();
    if (status != null && status.isEnd()) {
      where("next_action_at IS NULL");
    }
    where("status = ?", status == null ? null : status.name());
    @Nullable Boolean open = filter.open();
    if (open != null) {
      where("next_action_at IS %s".formatted(open ? "NOT NULL" : "NULL"));
    }
    where("definition = ?", filter.definition());
    where("version = ?", filter.version());
    where("reason = ?", filter.reason());
    where("subject_id = ?", filter.subject());
    if (filter.subject() != null && filter.definition() == null) {
      where(OF_ANY_DEFINITION);
    }
    where("scope = ?", filter.customer());
    whereAttribute(filter.attribute());
    where(REPAIRED, filter.repair());
    whereStarted();
    @Nullable Boolean quarantined = filter.quarantined();
    if (quarantined != null) {
      where("(%s) IS %s NULL".formatted(FailingSagas.QUARANTINED_AT, quarantined ? "NOT" : ""));
    }
    @Nullable Boolean held = filter.held();
    if (held != null) {
      where("hold IS %s NULL".formatted(held ? "NOT" : ""));
    }
    if (filter.isOverdue()) {
      where("hold IS NULL");
      where("least(next_action_at, deadline_at) < statement_timestamp() - interval '10 s'");
    }
    whereWaiting();
    where(FailingSteps.IN_GROUP, filter.failure());
  }

  /** For one and the same step. */
  private void whereWaiting() {
    if (filter.step() != null || filter.direction() != null || filter.command() != null) {
      String parts =
          waits(AT_STEP, filter.step())
              + waits(IN_DIRECTION, filter.direction())
              + waits(FOR_COMMAND, filter.command());
      where(WAITS.formatted(parts));
    }
  }

  private String waits(String condition, @Nullable String value) {
    if (value == null) {
      return "";
    }
    values.add(value);
    return condition + "\n                ";
  }

  /** The index has a value's sagas in the order of their ids. */
  private void whereAttribute(@Nullable String attribute) {
    if (attribute != null) {
      int colon = attribute.indexOf(':');
      where(
          "id IN (SELECT saga_id FROM saga_attribute WHERE name = ? AND value = ?)",
          attribute.substring(0, colon));
      values.add(SagaAttributes.searchable(attribute.substring(colon + 1)));
    }
  }

  private void whereStarted() {
    Duration age = filter.age();
    where(
        "started_at <= statement_timestamp() - make_interval(secs => ?)",
        age == null ? null : age.toMillis() / 1e3);
    // The ids are those of a range of the primary key, but for clocks that differ by a minute.
    Instant after = filter.startedAfter();
    if (after != null) {
      where("id >= ?::uuid", UuidTime.first(after.minus(UuidTime.CLOCKS_DIFFER)));
      where("started_at >= ?", Timestamp.from(after));
    }
    Instant before = filter.startedBefore();
    if (before != null) {
      where("id < ?::uuid", UuidTime.first(before.plus(UuidTime.CLOCKS_DIFFER)));
      where("started_at < ?", Timestamp.from(before));
    }
  }

  /** Reads a page, without a lock. */
  public static List<SagaSummary> find(Connection tx, SagaFilter filter, SagaFilter.Page page)
      throws SQLException {
    Sql.update(tx, AT_MOST);
    return new SagaList(filter, page).read(tx);
  }

  /** How many there are on all pages, at most one more than {@link #COUNTED}. */
  public static int count(Connection tx, SagaFilter filter) throws SQLException {
    Sql.update(tx, AT_MOST);
    SagaList list = all(filter);
    String count =
        """
        SELECT count(*)::int AS sagas
        FROM   (SELECT
                FROM   %s
                %s
                LIMIT  %s) counted
        """
            .formatted(list.source(), list.whereClause(), COUNTED + 1);
    return Sql.query(tx, count, row -> row.integer("sagas"), list.values.toArray()).getFirst();
  }

  /**
   * Inserts a row for each, whose last column is the saga's id.
   *
   * @param insert the statement up to its columns
   * @param first the value of the column before
   * @return how many
   */
  public static int insert(Connection tx, String insert, Object first, SagaFilter filter)
      throws SQLException {
    SagaList list = all(filter);
    list.values.addFirst(first);
    String select =
        "%s SELECT ?, id FROM %s %s".formatted(insert, list.source(), list.whereClause());
    return Sql.update(tx, select, list.values.toArray());
  }

  /** Locks a saga if a filter finds it, on whatever page. */
  public static boolean lock(Connection tx, UUID saga, SagaFilter filter) throws SQLException {
    SagaList list = all(filter);
    list.where("id = ?", saga);
    String lock = "SELECT id FROM saga_instance %s FOR UPDATE".formatted(list.whereClause());
    return !Sql.query(tx, lock, row -> true, list.values.toArray()).isEmpty();
  }

  private static SagaList all(SagaFilter filter) {
    return new SagaList(filter, new SagaFilter.Page(null, false, Integer.MAX_VALUE));
  }

  private void where(String condition) {
    conditions.add(condition);
  }

  private void where(String condition, @Nullable Object value) {
    if (value != null) {
      conditions.add(condition);
      values.add(value);
    }
  }

  private String whereClause() {
    return conditions.isEmpty() ? "" : "WHERE  " + String.join("\n        AND    ", conditions);
  }

  private List<SagaSummary> read(Connection tx) throws SQLException {
    where(page.newestFirst() ? "id < ?" : "id > ?", page.after());
    List<Object> parameters = new ArrayList<>();
    String select =
        """
        SELECT id, definition, version, subject_id, scope, status, reason,
               started_at, ended_at,
               CASE WHEN hold IS NULL THEN nullif(next_action_at, 'infinity') END AS next_action_at,
               %3$s AS quarantined_at,
               failures, quarantine_reason, hold,
               awaited.steps, awaited.attempts
        FROM   (%1$s) saga
               LEFT JOIN LATERAL
               (SELECT string_agg(step.name, ',' ORDER BY step.position) AS steps,
                       max(CASE step.status
                             WHEN 'COMPENSATING' THEN step.compensation_attempts
                             ELSE step.attempts
                           END) AS attempts
                FROM   saga_step step
                WHERE  step.saga_id = saga.id
                AND    step.due_at IS NOT NULL) awaited ON saga.next_action_at IS NOT NULL
        ORDER  BY id %2$s
        """
            .formatted(rows(parameters), direction(), FailingSagas.QUARANTINED_AT);
    List<SagaSummary> found = Sql.query(tx, select, SagaList::summary, parameters.toArray());
    Map<UUID, Map<String, String>> attributes =
        SagaAttributes.find(tx, found.stream().map(SagaSummary::id).toList());
    return found.stream()
        .map(saga -> saga.withAttributes(attributes.getOrDefault(saga.id(), Map.of())))
        .toList();
  }

  /**
   * A page's rows. Those of a definition are at most so many of each end and of the open ones:
   * among the ids they may be anywhere, and no index has all of them in that order.
   */
  private String rows(List<Object> parameters) {
    if (!filter.isOfADefinitionOnly()) {
      return rowsOf(source(), parameters);
    }
    String completed = "(%s)".formatted(rowsOf(ENDED.formatted("COMPLETED"), parameters));
    String compensated = "(%s)".formatted(rowsOf(ENDED.formatted("COMPENSATED"), parameters));
    parameters.add(filter.definition());
    String open = "(%s)".formatted(rowsOf(OPEN_OF_DEFINITION, parameters));
    parameters.add(page.limit());
    return "SELECT %s FROM (%s) definition_rows ORDER BY id %s LIMIT ?"
        .formatted(
            COLUMNS, String.join("\nUNION ALL\n", completed, compensated, open), direction());
  }

  private String rowsOf(String source, List<Object> parameters) {
    parameters.addAll(values);
    parameters.add(page.limit());
    return """
        SELECT %s
                FROM   %s
                %s
                ORDER  BY id %s
                LIMIT  ?\
        """
        .formatted(COLUMNS, source, whereClause(), direction());
  }

  /**
   * Open sagas are found by their timers (OFFSET keeps that apart): few in all, they may be
   * anywhere among the ids, and to walk through those of ended sagas in their order would take
   * minutes. Where looking at one takes long they are sorted before, and looked at in that order;
   * else the rows of a page are kept and the others are not sorted.
   */
  private String source() {
    return filter.excludesEnded()
        ? """
          (SELECT *
                          FROM   saga_instance
                          WHERE  next_action_at IS NOT NULL
                          %s
                          OFFSET 0) saga_instance\
          """
            .formatted(filter.readsSteps() ? "ORDER  BY id " + direction() : "")
        : "saga_instance";
  }

  private String direction() {
    return page.newestFirst() ? "DESC" : "ASC";
  }

  private static SagaSummary summary(Row row) throws SQLException {
    String steps = row.text("steps");
    return new SagaSummary(
        row.uuid("id"),
        row.text("definition"),
        row.integer("version"),
        row.uuid("subject_id"),
        row.constant("status", SagaStatus.class),
        row.text("reason"),
        row.time("started_at"),
        row.time("next_action_at"),
        row.time("ended_at"),
        FailingSagas.quarantine(row),
        HoldColumn.of(row),
        steps == null ? List.of() : List.of(steps.split(",")),
        row.integer("attempts"),
        row.text("scope"),
        Map.of(),
        false);
  }
}
