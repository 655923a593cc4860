package io.onceflow.inbox.internal;

import io.onceflow.internal.queue.LowWaterMark;
import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/**
 * Finds started steps of {@code inbox_message} that are due, of those whose message is stored: the
 * broker keeps the others. A few are found in the order of time, from a mark on: before it lie
 * entries of steps that have ended, which stay in the index while another transaction keeps its
 * snapshot. Of many, the index {@code inbox_message_by_type} finds those of a type, scope by scope:
 * neither steps of other types nor those of a scope with many are read past.
 *
 * <p>Each statement names the columns of its index's predicate, and lets itself be answered by that
 * index only; the migration that creates them says why.
 */
final class StartedSteps {

  /** So many can be read, and their JSON parsed, with each look. */
  private static final int FEW = 1_000;

  /** The steps that are due: those whose lease is over. */
  private static final String DUE =
      """
      (SELECT   scope, (envelope ->> 'type') COLLATE "C" AS type
       FROM     inbox_message
       WHERE    envelope IS NOT NULL
       AND      attempts >= 0
       AND      lease_expires_at >= ?
       AND      lease_expires_at < now()
       ORDER BY lease_expires_at
       LIMIT    %s) AS due
      """
          .formatted(FEW);

  private static final String DUE_TYPES =
      """
      SELECT   type, (sum(count(*)) OVER ())::bigint AS steps
      FROM     %s
      GROUP BY type
      """
          .formatted(DUE);

  private static final String FIRST =
      """
      SELECT coalesce((SELECT   lease_expires_at
                       FROM     inbox_message
                       WHERE    envelope IS NOT NULL
                       AND      attempts >= 0
                       AND      lease_expires_at >= ?
                       AND      lease_expires_at < present.at
                       ORDER BY lease_expires_at
                       LIMIT    1), present.at) AS first
      FROM   (SELECT %s AS at
              OFFSET 0) AS present          -- once, not with each comparison
      """
          .formatted(LowWaterMark.PRESENT);

  /**
   * Goes from type to type by the index, backwards for the reason of {@link #DUE_SCOPES_OF_MANY}.
   * Entries from before the mark are dead, and are passed without a look at their rows.
   */
  private static final String STARTED_TYPES =
      """
      WITH RECURSIVE started AS (
        (SELECT   (envelope ->> 'type') COLLATE "C" AS type
         FROM     inbox_message
         WHERE    envelope IS NOT NULL
         AND      fencing_token > 0
         AND      lease_expires_at >= ?
         ORDER BY 1 DESC
         LIMIT    1)
        UNION ALL
        SELECT (SELECT   (envelope ->> 'type') COLLATE "C"
                FROM     inbox_message
                WHERE    (envelope ->> 'type') COLLATE "C" < started.type
                AND      fencing_token > 0
                AND      lease_expires_at >= ?
                ORDER BY 1 DESC
                LIMIT    1)
        FROM   started
        WHERE  started.type IS NOT NULL
      )
      SELECT type
      FROM   started
      WHERE  type IS NOT NULL
      """;

  private static final String DUE_SCOPES =
      """
      WITH due_scope AS (
        SELECT   DISTINCT scope
        FROM     %s
        WHERE    type = ?
        AND      coalesce(scope < ?, true)           -- before none: all
        AND      scope <> ALL (?)
        ORDER BY 1 DESC
      ),
      """
          .formatted(DUE);

  /**
   * Goes from scope to scope by the index, backwards: of a scope's due steps the youngest come
   * first. The oldest have been taken over; their entries are dead, and so are those of steps that
   * have ended, which were due to be taken over at the end of their lease.
   */
  private static final String DUE_SCOPES_OF_MANY = dueScopesOfMany("");

  private static final String DUE_SCOPES_OF_MANY_BEFORE = dueScopesOfMany("AND scope < ?");

  private static String dueScopesOfMany(String before) {
    return """
      WITH RECURSIVE due_scope AS (
        (SELECT   scope
         FROM     inbox_message
         WHERE    (envelope ->> 'type') COLLATE "C" = ?
         AND      fencing_token > 0
         %s
         AND      lease_expires_at >= ?
         AND      lease_expires_at < now()
         AND      scope <> ALL (?)
         ORDER BY 1 DESC
         LIMIT    1)
        UNION ALL
        SELECT following.scope
        FROM   due_scope
        CROSS  JOIN LATERAL (
          SELECT   i.scope
          FROM     inbox_message i
          WHERE    (i.envelope ->> 'type') COLLATE "C" = ?
          AND      i.fencing_token > 0
          AND      i.scope < due_scope.scope
          AND      i.lease_expires_at >= ?
          AND      i.lease_expires_at < now()
          AND      i.scope <> ALL (?)
          ORDER BY 1 DESC
          LIMIT    1) AS following
      ),
      """
        .formatted(before);
  }

  /** The first few steps of each scope. */
  private static final String DUE_STEPS =
      """
      due AS (
        SELECT first.*
        FROM   (SELECT scope FROM due_scope LIMIT ?) AS chosen
        CROSS  JOIN LATERAL (
          SELECT   i.scope, i.step_key
          FROM     inbox_message i
          WHERE    (i.envelope ->> 'type') COLLATE "C" = ?
          AND      i.fencing_token > 0
          AND      i.scope = chosen.scope
          AND      i.lease_expires_at >= ?
          AND      i.lease_expires_at < now()
          ORDER BY i.lease_expires_at
          LIMIT    ?
          FOR UPDATE SKIP LOCKED) AS first        -- another replica takes it over
      )
      """;

  private static final String TAKE =
      """
      UPDATE inbox_message i
      SET    fencing_token    = i.fencing_token + 1,
             attempts         = i.attempts + 1,
             taken_up_at      = now(),
             lease_expires_at = now() + ? * interval '1 ms'
      FROM   due
      WHERE  i.scope = due.scope
      AND    i.step_key = due.step_key
      RETURNING i.scope, i.step_key, i.fingerprint, i.status, i.fencing_token, i.attempts,
                i.envelope::text, i.outcome::text, i.pending_since, false AS is_resting
      """;

  private static final String TAKE_OVER = DUE_STEPS + TAKE;

  private static final String KEYS = DUE_STEPS + "SELECT scope, step_key FROM due";

  private static final String TAKE_ONE_OVER =
      """
      WITH due AS (
        SELECT scope, step_key
        FROM   inbox_message
        WHERE  scope = ?
        AND    step_key = ?
        AND    envelope IS NOT NULL
        AND    lease_expires_at < now()
        FOR    UPDATE SKIP LOCKED
      )
      """
          + TAKE;

  /**
   * A step that was taken up or postponed later than now was so while PostgreSQL's clock was ahead:
   * its lease would end as much too late. How long one may be is not known here: that of a pending
   * step is until its handler is to look again. An owner that still works on it is fenced off (rule
   * 4).
   */
  private static final String END_LEASES_FROM_AHEAD =
      """
      WITH ahead AS (
        SELECT scope, step_key
        FROM   inbox_message
        WHERE  envelope IS NOT NULL
        AND    attempts >= 0
        AND    lease_expires_at > clock_timestamp()
        AND    greatest(received_at, taken_up_at, postponed_at) > clock_timestamp() + interval '2 s'
        FOR UPDATE SKIP LOCKED
      )
      UPDATE inbox_message i
      SET    lease_expires_at = now()
      FROM   ahead
      WHERE  i.scope = ahead.scope
      AND    i.step_key = ahead.step_key
      """;

  private static final Logger LOG = Logger.getLogger(StartedSteps.class);

  private static final long CLOCK_EVERY_NANOS = Duration.ofMinutes(1).toNanos();

  private static final Instant START = Instant.EPOCH;

  private final LowWaterMark<Instant> mark;
  private final LongSupplier nanoTime;
  private final AtomicLong clockDue;
  private final LongSupplier timesSetBack;
  private final AtomicLong handled = new AtomicLong();
  private volatile Instant begin = START;
  private volatile boolean areFew;

  /**
   * @param timesSetBack how often PostgreSQL's clock was set back, as this process has seen
   */
  StartedSteps(DataSource database, LongSupplier timesSetBack) {
    this(database, timesSetBack, System::nanoTime);
  }

  /** With another clock, for tests. */
  StartedSteps(DataSource database, LongSupplier timesSetBack, LongSupplier nanoTime) {
    this.timesSetBack = timesSetBack;
    mark = new LowWaterMark<>(database, START, StartedSteps::recent, nanoTime);
    this.nanoTime = nanoTime;
    this.clockDue = new AtomicLong(nanoTime.getAsLong());
  }

  private static Instant recent() {
    return Instant.now().minus(LowWaterMark.HELD);
  }

  private record Type(String name, long stepsOfAll) {}

  /** The types of command of which steps are due; of those that are started, when many are due. */
  Set<String> types(Connection connection) throws SQLException {
    endLeasesFromAhead(connection);
    begin = mark.find(connection, StartedSteps::first);
    List<Type> types =
        Sql.query(
            connection, DUE_TYPES, row -> new Type(row.text("type"), row.bigint("steps")), begin);
    areFew = types.isEmpty() || types.getFirst().stepsOfAll() < FEW;
    return areFew
        ? types.stream().map(Type::name).collect(Collectors.toCollection(TreeSet::new))
        : new TreeSet<>(
            Sql.query(connection, STARTED_TYPES, row -> row.text("type"), begin, begin));
  }

  /**
   * Once the clock is seen to be set back; and once a minute, for what was committed after that.
   */
  private void endLeasesFromAhead(Connection connection) throws SQLException {
    long now = nanoTime.getAsLong();
    long due = clockDue.get();
    long times = timesSetBack.getAsLong();
    boolean isSetBack = handled.getAndSet(times) != times;
    if ((isSetBack || now - due >= 0) && clockDue.compareAndSet(due, now + CLOCK_EVERY_NANOS)) {
      int ended = Sql.update(connection, END_LEASES_FROM_AHEAD);
      if (ended > 0) {
        LOG.warnf(
            "PostgreSQL's clock was set back: the leases of %s steps would have ended too late, and"
                + " were ended",
            ended);
      }
    }
  }

  private static Instant first(Connection tx, Instant from) throws SQLException {
    return Sql.query(tx, FIRST, row -> row.time("first"), from).getFirst();
  }

  List<InboxRow> takeOver(Connection connection, DueSteps due, Duration lease) throws SQLException {
    List<Object> parameters = parameters(due);
    parameters.add(lease.toMillis());
    return Sql.query(connection, scopes(due) + TAKE_OVER, InboxTable::read, parameters.toArray());
  }

  List<InboxRow.Id> due(Connection connection, DueSteps due) throws SQLException {
    return Sql.query(
        connection,
        scopes(due) + KEYS,
        row -> new InboxRow.Id(row.text("scope"), row.text("step_key")),
        parameters(due).toArray());
  }

  List<InboxRow> takeOver(Connection connection, InboxRow.Id id, Duration lease)
      throws SQLException {
    return Sql.query(
        connection, TAKE_ONE_OVER, InboxTable::read, id.scope(), id.stepKey(), lease.toMillis());
  }

  private String scopes(DueSteps due) {
    if (areFew) {
      return DUE_SCOPES;
    }
    return due.before() == null ? DUE_SCOPES_OF_MANY : DUE_SCOPES_OF_MANY_BEFORE;
  }

  private List<Object> parameters(DueSteps due) {
    Column without = Column.texts(due.without());
    List<Object> parameters = new ArrayList<>();
    if (areFew) {
      parameters.addAll(Arrays.asList(begin, due.type(), due.before(), without));
    } else {
      parameters.add(due.type());
      if (due.before() != null) {
        parameters.add(due.before());
      }
      parameters.addAll(List.of(begin, without, due.type(), begin, without));
    }
    parameters.addAll(List.of(due.scopes(), due.type(), begin, due.perScope()));
    return parameters;
  }
}
