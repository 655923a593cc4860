package io.onceflow.saga.internal.store.view;

import static java.util.Objects.requireNonNull;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * How many sagas have not ended: each is running, compensating or stuck. Only the index of timers
 * is read and what it leads to, so ended sagas cost nothing.
 *
 * @param groups in the order of definitions and versions
 */
public record SagaCounts(List<Group> groups) {

  /**
   * Of more open sagas, the steps of an arbitrary so many are looked at: steps are JSON, so reading
   * them takes longer than counting sagas.
   */
  private static final int MOST_BY_STEP = 20_000;

  /** Of a step that is awaited. */
  static final String DIRECTION =
      """
      CASE WHEN step ->> 'status' IN ('WAITING', 'AWAITING') THEN 'forward' ELSE 'backward' END\
      """;

  /** Visible to tests, which look at its plan. */
  static final String OPEN =
      """
      SELECT   saga.definition, version, status,
               count(*)                                            AS sagas,
               count(*) FILTER (WHERE %1$s)                        AS quarantined,
               count(*) FILTER (WHERE hold IS NOT NULL)            AS held,
               count(*) FILTER (WHERE %2$s)                        AS overdue,
               min(started_at)     FILTER (WHERE status = 'STUCK') AS stuck_since,
               min(quarantined_at) FILTER (WHERE %1$s)             AS quarantined_since,
               min((hold ->> 'since')::timestamptz)                AS held_since,
               min(least(next_action_at, deadline_at)) FILTER (WHERE %2$s) AS overdue_since,
               coalesce(extract(epoch FROM now() - min(next_action_at)
                                             FILTER (WHERE next_action_at <= now())), 0) AS most_overdue,
               min(id::text COLLATE "C")::uuid AS oldest -- there is no min(uuid)
      FROM     %3$s
      GROUP BY saga.definition, version, status
      ORDER BY saga.definition, version, oldest
      """
          .formatted(
              "coalesce((hold ->> 'timer')::timestamptz, next_action_at) = 'infinity'",
              """
              hold IS NULL
                                AND   least(next_action_at, deadline_at)
                                      < statement_timestamp() - interval '10 s'\
              """,
              OpenTimers.ALL);

  /** Visible to tests, which look at its plan. */
  static final String BY_STEP =
      """
      SELECT   definition, version,
               step ->> 'name' AS name,
               %s AS direction,
               split_part(step #>> '{command,routingKey}', '.', 1) AS command,
               count(DISTINCT id)::int AS sagas,
               (extract(epoch FROM statement_timestamp() - min(started_at)) * 1000)::bigint AS oldest
      FROM     (SELECT saga.id, saga.definition, saga.version, saga.started_at, saga.steps
                FROM   %s
                LIMIT  ?) AS open,
               json_array_elements(open.steps) AS step
      WHERE    step ->> 'dueAt' IS NOT NULL
      GROUP BY GROUPING SETS ((1, 2, 3, 4), (5))
      ORDER BY 1, 2, 3, 4, 5
      """
          .formatted(DIRECTION, OpenTimers.ALL);

  /**
   * Those of a version with the same status.
   *
   * @param quarantined those of them whose timer rests at infinity, since handling them fails
   * @param held those of them that operators hold
   * @param overdue those of them whose timer should have been served ten seconds ago, or whose
   *     deadline has passed
   * @param since since when
   * @param mostOverdueSeconds for how long the most overdue has waited for its timer; 0 when none
   *     is due
   * @param oldest of them
   */
  public record Group(
      String definition,
      int version,
      SagaStatus status,
      long sagas,
      long quarantined,
      long held,
      long overdue,
      Since since,
      double mostOverdueSeconds,
      UUID oldest) {

    private static Group of(Row row) throws SQLException {
      return new Group(
          row.text("definition"),
          row.integer("version"),
          requireNonNull(row.constant("status", SagaStatus.class)),
          row.bigint("sagas"),
          row.bigint("quarantined"),
          row.bigint("held"),
          row.bigint("overdue"),
          Since.of(row),
          row.real("most_overdue"),
          row.uuid("oldest"));
    }
  }

  /**
   * Since when there are such sagas; null where there are none.
   *
   * @param stuck when the oldest of the stuck ones started
   * @param quarantined when the first of them came into quarantine
   * @param held when the first of them was held
   * @param overdue when the first of them was due
   */
  @Schema(name = "OpenSagasSince")
  public record Since(
      @Nullable Instant stuck,
      @Nullable Instant quarantined,
      @Nullable Instant held,
      @Nullable Instant overdue) {

    private static Since of(Row row) throws SQLException {
      return new Since(
          row.time("stuck_since"),
          row.time("quarantined_since"),
          row.time("held_since"),
          row.time("overdue_since"));
    }
  }

  /**
   * Sagas that wait for an answer to the same step or compensation.
   *
   * @param direction {@code forward} where they wait for the step, {@code backward} for its
   *     compensation
   * @param oldestAgeMs since the start of the oldest of them
   */
  public record AtStep(
      String definition, int version, String step, String direction, int count, long oldestAgeMs) {

    private static AtStep of(Row row) throws SQLException {
      return new AtStep(
          row.text("definition"),
          row.integer("version"),
          row.text("name"),
          row.text("direction"),
          row.integer("sagas"),
          row.bigint("oldest"));
    }
  }

  /**
   * Sagas that wait for the answers of the participant that a word leads to.
   *
   * @param command the first word of the routing keys of what it was sent
   */
  public record ForCommands(String command, int sagas) {}

  /** What they wait for: by steps, and by the participants that have to answer. */
  public record Waits(List<AtStep> steps, List<ForCommands> commands) {

    private record Line(@Nullable AtStep step, @Nullable ForCommands commands) {

      static Line of(Row row) throws SQLException {
        String command = row.text("command");
        return row.text("definition") != null
            ? new Line(AtStep.of(row), null)
            : new Line(
                null, command == null ? null : new ForCommands(command, row.integer("sagas")));
      }
    }

    private static Waits of(List<Line> lines) {
      return new Waits(
          lines.stream().map(Line::step).filter(Objects::nonNull).toList(),
          lines.stream().map(Line::commands).filter(Objects::nonNull).toList());
    }
  }

  /** Counts them. */
  public static SagaCounts open(Connection tx, OpenTimers timers) throws SQLException {
    OpenTimers.Known known = timers.find(tx);
    return new SagaCounts(Sql.query(tx, OPEN, Group::of, known.definitions(), known.times()));
  }

  /** Counts them by what they wait for, in the order of definitions, versions and steps. */
  public static Waits waits(Connection tx, OpenTimers timers) throws SQLException {
    OpenTimers.Known known = timers.find(tx);
    return Waits.of(
        Sql.query(tx, BY_STEP, Waits.Line::of, known.definitions(), known.times(), MOST_BY_STEP));
  }

  /** How many have this status and are not in quarantine. */
  public long handled(SagaStatus status) {
    return groups.stream()
        .filter(it -> it.status() == status)
        .mapToLong(it -> it.sagas() - it.quarantined())
        .sum();
  }

  /** How many have this status. */
  public long with(SagaStatus status) {
    return groups.stream().filter(it -> it.status() == status).mapToLong(Group::sagas).sum();
  }

  public long all() {
    return groups.stream().mapToLong(Group::sagas).sum();
  }

  public long quarantined() {
    return groups.stream().mapToLong(Group::quarantined).sum();
  }

  public long held() {
    return groups.stream().mapToLong(Group::held).sum();
  }

  public long overdue() {
    return groups.stream().mapToLong(Group::overdue).sum();
  }

  /** Of all of them. */
  public Since since() {
    return new Since(
        first(Since::stuck), first(Since::quarantined), first(Since::held), first(Since::overdue));
  }

  private @Nullable Instant first(Function<Since, @Nullable Instant> of) {
    return groups.stream()
        .map(it -> of.apply(it.since()))
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  public double mostOverdueSeconds() {
    return groups.stream().mapToDouble(Group::mostOverdueSeconds).max().orElse(0);
  }

  /** By which definitions and versions they go. */
  public List<OpenSagas.Version> versions() {
    List<OpenSagas.Version> all = new ArrayList<>();
    for (Group group : groups) {
      OpenSagas.Version last = all.isEmpty() ? null : all.getLast();
      boolean isSame =
          last != null
              && last.definition().equals(group.definition())
              && last.version() == group.version();
      all.add(
          new OpenSagas.Version(
              group.definition(),
              group.version(),
              group.sagas() + (isSame ? all.removeLast().count() : 0),
              isSame ? last.example() : group.oldest()));
    }
    return all;
  }
}
