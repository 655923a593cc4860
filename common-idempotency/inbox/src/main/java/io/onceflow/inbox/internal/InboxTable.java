package io.onceflow.inbox.internal;

import static io.onceflow.sql.Column.bigints;
import static io.onceflow.sql.Column.bytes;
import static io.onceflow.sql.Column.integers;
import static io.onceflow.sql.Column.names;
import static io.onceflow.sql.Column.texts;

import io.onceflow.core.internal.Fingerprint;
import io.onceflow.participant.PendingSteps;
import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** {@code inbox_message} in PostgreSQL; every statement takes one row or many. */
public final class InboxTable implements InboxStore {

  private static final byte[] NO_FINGERPRINT = {};

  private static final Comparator<InboxRow> IN_ONE_ORDER =
      Comparator.comparing(InboxRow::scope).thenComparing(InboxRow::stepKey);

  private static final String FIND =
      """
      SELECT i.scope, i.step_key, i.fingerprint, i.status, i.fencing_token, i.attempts,
             i.envelope::text, i.outcome::text, i.pending_since,
             i.pending_token IS NOT DISTINCT FROM i.fencing_token
               OR (i.envelope IS NULL AND i.status = 'STARTED' AND i.lease_expires_at < now())
               AS is_resting
      FROM   unnest(?::text[], ?::text[]) AS wanted (scope, step_key)
      JOIN   inbox_message i USING (scope, step_key)
      """;

  private static final String INSERT =
      """
      INSERT INTO inbox_message
             (scope, step_key, fingerprint, status, attempts, envelope, outcome,
              lease_expires_at, completed_at, pending_since, pending_token)
      SELECT scope, step_key, fingerprint, status, attempts, envelope::json, outcome::json,
             CASE status WHEN 'STARTED'   THEN now() + lease_ms * interval '1 ms' END,
             CASE status WHEN 'COMPLETED' THEN now() END,
             CASE WHEN is_resting THEN now() END,
             CASE WHEN is_resting THEN 1 END
      FROM   unnest(?::text[], ?::text[], ?::bytea[], ?::text[], ?::int[], ?::text[], ?::text[],
                    ?::bigint[], ?::boolean[])
             AS new (scope, step_key, fingerprint, status, attempts, envelope, outcome, lease_ms,
                     is_resting)
      ORDER  BY scope, step_key       -- the same order everywhere: two batches cannot deadlock
      ON CONFLICT DO NOTHING
      RETURNING scope, step_key
      """;

  private static final String COMPLETE =
      """
      UPDATE inbox_message i
      SET    status = 'COMPLETED', outcome = done.outcome::json, completed_at = now(),
             envelope = NULL
      FROM   unnest(?::text[], ?::text[], ?::bigint[], ?::text[])
             AS done (scope, step_key, fencing_token, outcome)
      WHERE  i.scope = done.scope
      AND    i.step_key = done.step_key
      AND    i.status = 'STARTED'
      AND    i.fencing_token = done.fencing_token      -- a late owner writes nothing (rule 4)
      RETURNING i.scope, i.step_key
      """;

  private static final String POSTPONE =
      """
      UPDATE inbox_message i
      SET    lease_expires_at = now() + late.pause_ms * interval '1 ms',
             postponed_at     = now(),
             attempts         = late.attempts,
             envelope         = coalesce(i.envelope, late.envelope::json)
      FROM   unnest(?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::int[], ?::text[])
             AS late (scope, step_key, fencing_token, pause_ms, attempts, envelope)
      WHERE  i.scope = late.scope
      AND    i.step_key = late.step_key
      AND    i.status = 'STARTED'
      AND    i.fencing_token = late.fencing_token
      RETURNING i.scope, i.step_key
      """;

  private static final String REST =
      """
      UPDATE inbox_message i
      SET    lease_expires_at = CASE WHEN i.woken_token = i.fencing_token
                                     THEN now()
                                     ELSE now() + late.pause_ms * interval '1 ms' END,
             postponed_at     = now(),
             attempts         = 0,                     -- looking again uses none up
             pending_since    = coalesce(i.pending_since, now()),
             pending_token    = i.fencing_token,
             envelope         = coalesce(i.envelope, late.envelope::json)
      FROM   unnest(?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::text[])
             AS late (scope, step_key, fencing_token, pause_ms, envelope)
      WHERE  i.scope = late.scope
      AND    i.step_key = late.step_key
      AND    i.status = 'STARTED'
      AND    i.fencing_token = late.fencing_token
      RETURNING i.scope, i.step_key
      """;

  private static final String STORE =
      """
      UPDATE inbox_message i
      SET    envelope         = again.envelope::json,
             lease_expires_at = greatest(i.lease_expires_at, now()),  -- or no look would find it
             postponed_at     = now()
      FROM   unnest(?::text[], ?::text[], ?::bigint[], ?::text[])
             AS again (scope, step_key, fencing_token, envelope)
      WHERE  i.scope = again.scope
      AND    i.step_key = again.step_key
      AND    i.status = 'STARTED'                      -- since it was read, it may have ended
      AND    i.fencing_token = again.fencing_token
      AND    i.envelope IS NULL
      RETURNING i.scope, i.step_key
      """;

  private static final String START_AGAIN =
      """
      UPDATE inbox_message i
      SET    status           = 'STARTED',
             fencing_token    = i.fencing_token + 1,
             lease_expires_at = now(),
             postponed_at     = now(),
             envelope         = again.envelope::json,
             outcome          = NULL,
             completed_at     = NULL,
             pending_since    = NULL,
             pending_token    = NULL,
             woken_token      = NULL
      FROM   unnest(?::text[], ?::text[], ?::bigint[], ?::text[])
             AS again (scope, step_key, fencing_token, envelope)
      WHERE  i.scope = again.scope
      AND    i.step_key = again.step_key
      AND    i.outcome IS NOT NULL
      AND    i.fencing_token = again.fencing_token
      RETURNING i.scope, i.step_key
      """;

  private static final String WAKE =
      """
      UPDATE inbox_message
      SET    woken_token      = fencing_token,
             lease_expires_at = CASE WHEN pending_token = fencing_token
                                     THEN least(lease_expires_at, clock_timestamp())
                                     ELSE lease_expires_at END
      WHERE  scope = ?
      AND    step_key = ?
      AND    status = 'STARTED'
      RETURNING pending_token IS NOT DISTINCT FROM fencing_token AS is_resting
      """;

  private static final String SET_ASIDE =
      """
      UPDATE inbox_message
      SET    lease_expires_at = now() + ? * interval '1 ms',
             postponed_at     = now()
      WHERE  scope = ?
      AND    step_key = ?
      AND    envelope IS NOT NULL
      AND    lease_expires_at < now()
      """;

  private final StartedSteps started;

  public InboxTable(DataSource database) {
    this(database, () -> 0);
  }

  /**
   * @param timesSetBack how often PostgreSQL's clock was set back, as this process has seen
   */
  public InboxTable(DataSource database, LongSupplier timesSetBack) {
    started = new StartedSteps(database, timesSetBack);
  }

  @Override
  public Map<InboxRow.Id, InboxRow> find(Connection connection, Set<InboxRow.Id> ids)
      throws SQLException {
    if (ids.isEmpty()) {
      return Map.of();
    }
    return Sql.query(
            connection,
            FIND,
            InboxTable::read,
            texts(ids, InboxRow.Id::scope),
            texts(ids, InboxRow.Id::stepKey))
        .stream()
        .collect(Collectors.toMap(InboxRow::id, Function.identity()));
  }

  @Override
  public Set<InboxRow.Id> insert(Connection connection, Map<InboxRow, Duration> leases)
      throws SQLException {
    if (leases.isEmpty()) {
      return Set.of();
    }
    var rows = List.copyOf(leases.keySet());
    return ids(
        connection,
        INSERT,
        texts(rows, InboxRow::scope),
        texts(rows, InboxRow::stepKey),
        bytes(rows, InboxTable::fingerprint),
        names(rows, InboxRow::status),
        integers(rows, InboxRow::attempts),
        texts(rows, InboxRow::envelope),
        texts(rows, InboxRow::outcome),
        bigints(rows, row -> leases.getOrDefault(row, Duration.ZERO).toMillis()),
        Column.of(boolean.class, rows, InboxRow::isResting));
  }

  @Override
  public Set<InboxRow.Id> complete(Connection connection, Map<InboxRow, String> outcomes)
      throws SQLException {
    return withTexts(connection, COMPLETE, outcomes);
  }

  @Override
  public Set<InboxRow.Id> store(Connection connection, Map<InboxRow, String> envelopes)
      throws SQLException {
    return withTexts(connection, STORE, envelopes);
  }

  @Override
  public Set<InboxRow.Id> startAgain(Connection connection, Map<InboxRow, String> envelopes)
      throws SQLException {
    return withTexts(connection, START_AGAIN, envelopes);
  }

  private static Set<InboxRow.Id> withTexts(
      Connection connection, String sql, Map<InboxRow, String> texts) throws SQLException {
    if (texts.isEmpty()) {
      return Set.of();
    }
    var entries =
        texts.entrySet().stream()
            .sorted(Map.Entry.comparingByKey(IN_ONE_ORDER)) // two batches may share rows
            .toList();
    return ids(
        connection,
        sql,
        texts(entries, e -> e.getKey().scope()),
        texts(entries, e -> e.getKey().stepKey()),
        bigints(entries, e -> e.getKey().fencingToken()),
        texts(entries, Map.Entry::getValue));
  }

  @Override
  public Set<InboxRow.Id> postpone(Connection connection, Map<InboxRow, Duration> pauses)
      throws SQLException {
    if (pauses.isEmpty()) {
      return Set.of();
    }
    var entries = List.copyOf(pauses.entrySet());
    return ids(
        connection,
        POSTPONE,
        texts(entries, e -> e.getKey().scope()),
        texts(entries, e -> e.getKey().stepKey()),
        bigints(entries, e -> e.getKey().fencingToken()),
        bigints(entries, e -> e.getValue().toMillis()),
        integers(entries, e -> e.getKey().attempts()),
        texts(entries, e -> e.getKey().envelope()));
  }

  @Override
  public Set<InboxRow.Id> rest(Connection connection, Map<InboxRow, Duration> pauses)
      throws SQLException {
    if (pauses.isEmpty()) {
      return Set.of();
    }
    var entries = List.copyOf(pauses.entrySet());
    return ids(
        connection,
        REST,
        texts(entries, e -> e.getKey().scope()),
        texts(entries, e -> e.getKey().stepKey()),
        bigints(entries, e -> e.getKey().fencingToken()),
        bigints(entries, e -> e.getValue().toMillis()),
        texts(entries, e -> e.getKey().envelope()));
  }

  @Override
  public PendingSteps.Result wake(Connection connection, InboxRow.Id id) throws SQLException {
    List<Boolean> woken =
        Sql.query(connection, WAKE, row -> row.truth("is_resting"), id.scope(), id.stepKey());
    if (!woken.isEmpty()) {
      return woken.getFirst() ? PendingSteps.Result.WOKEN : PendingSteps.Result.UNDER_WAY;
    }
    return find(connection, Set.of(id)).isEmpty()
        ? PendingSteps.Result.UNKNOWN
        : PendingSteps.Result.ENDED;
  }

  @Override
  public Set<String> startedTypes(Connection connection) throws SQLException {
    return started.types(connection);
  }

  @Override
  public List<InboxRow> takeOver(Connection connection, DueSteps due, Duration lease)
      throws SQLException {
    return started.takeOver(connection, due, lease);
  }

  @Override
  public List<InboxRow.Id> due(Connection connection, DueSteps due) throws SQLException {
    return started.due(connection, due);
  }

  @Override
  public List<InboxRow> takeOver(Connection connection, InboxRow.Id id, Duration lease)
      throws SQLException {
    return started.takeOver(connection, id, lease);
  }

  @Override
  public boolean setAside(Connection connection, InboxRow.Id id, Duration pause)
      throws SQLException {
    return Sql.update(connection, SET_ASIDE, pause.toMillis(), id.scope(), id.stepKey()) > 0;
  }

  private static Set<InboxRow.Id> ids(Connection connection, String sql, Object... parameters)
      throws SQLException {
    return Set.copyOf(
        Sql.query(
            connection,
            sql,
            row -> new InboxRow.Id(row.text("scope"), row.text("step_key")),
            parameters));
  }

  static InboxRow read(Row row) throws SQLException {
    byte[] fingerprint = row.bytes("fingerprint");
    return new InboxRow(
        row.text("scope"),
        row.text("step_key"),
        fingerprint.length == 0 ? null : Fingerprint.stored(fingerprint),
        row.constant("status", InboxRow.Status.class),
        row.bigint("fencing_token"),
        row.integer("attempts"),
        row.text("envelope"),
        row.text("outcome"),
        row.time("pending_since"),
        row.truth("is_resting"));
  }

  private static byte[] fingerprint(InboxRow row) {
    Fingerprint fingerprint = row.fingerprint();
    return fingerprint == null ? NO_FINGERPRINT : fingerprint.bytes();
  }
}
