package io.onceflow.saga.internal.repair;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.groupingBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.core.internal.Fingerprint;
import io.onceflow.saga.internal.operators.SagaDetails;
import io.onceflow.saga.internal.repair.Repair.FailureReason;
import io.onceflow.saga.internal.repair.Repair.RepairedSaga;
import io.onceflow.saga.internal.store.view.SagaFilter;
import io.onceflow.sql.Column;
import io.onceflow.sql.Column.JsonColumn;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** {@code saga_repair}, and the marks on its sagas, as operators add, read and switch repairs. */
final class RepairRows {

  private static final String INSERT =
      """
      INSERT INTO saga_repair
             (id, action, filter, filter_hash, reason, until, to_version, per_second, status,
              started_by)
      VALUES (?, ?, ?::json, ?, ?, ?, ?, ?, 'RUNNING', ?)
      ON CONFLICT (filter_hash) WHERE finished_at IS NULL DO NOTHING
      """;

  private static final String UNFINISHED =
      "SELECT id FROM saga_repair WHERE filter_hash = ? AND finished_at IS NULL";

  /** Written out, so that a column that a migration adds leaves prepared statements as they are. */
  private static final String SELECT =
      """
      SELECT id, action, filter, reason, until, to_version, per_second, status, started_by,
             approved_by, started_at, finished_at
      FROM   saga_repair
      """;

  private static final String FIND = SELECT + "WHERE id = ?";

  private static final String LOCK = FIND + " FOR NO KEY UPDATE";

  private static final String NEWEST =
      SELECT
          + """
          WHERE    (?::uuid IS NULL OR id < ?)
          AND      (?::uuid IS NULL OR EXISTS (SELECT
                                               FROM   saga_repair_item
                                               WHERE  repair_id = id AND saga_id = ?))
          ORDER BY id DESC                -- UUIDv7: the order of time
          LIMIT    ?
          """;

  private static final String COUNTS =
      """
      SELECT   repair_id, outcome, why, count(*)::int AS sagas
      FROM     saga_repair_item
      WHERE    repair_id = ANY (?)
      GROUP BY repair_id, outcome, why
      ORDER BY sagas DESC, why
      """;

  private static final String SAGAS =
      """
      SELECT   saga_id, outcome, why, at
      FROM     saga_repair_item
      WHERE    repair_id = ?
      AND      (?::text IS NULL OR outcome = ?)
      AND      (?::uuid IS NULL OR saga_id > ?)
      ORDER BY saga_id
      LIMIT    ?
      """;

  /** The time while it did not run gives no allowance. */
  private static final String SWITCH =
      """
      UPDATE saga_repair
      SET    status = ?,
             approved_by = coalesce(?, approved_by),
             finished_at = CASE WHEN ? IN ('STOPPED', 'FINISHED') THEN now() END,
             spent_until = now()
      WHERE  id = ?
      """;

  private final JsonColumn<SagaFilter> filters;

  /** A part of a filter that a newer release has written is not left out. */
  RepairRows(ObjectMapper json) {
    ObjectMapper strict = json.copy().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    filters = new JsonColumn<>("saga_repair.filter", strict, new TypeReference<>() {});
  }

  /** How many sagas have an outcome, for the same reason. */
  private record Count(UUID repair, RepairOutcome outcome, @Nullable String why, int sagas) {

    static Count of(Row row) throws SQLException {
      return new Count(
          requireNonNull(row.uuid("repair_id")),
          requireNonNull(row.constant("outcome", RepairOutcome.class)),
          row.text("why"),
          row.integer("sagas"));
    }
  }

  /**
   * Adds a repair, which runs.
   *
   * @return empty when it was added; the unfinished repair with the same action and filter if there
   *     is one, and then nothing was added
   */
  Optional<UUID> insert(
      Connection tx, UUID id, NewRepair repair, SagaFilter filter, String startedBy)
      throws SQLException {
    byte[] hash = hash(repair.action(), filter);
    int added =
        Sql.update(
            tx,
            INSERT,
            id,
            repair.action(),
            text(filter),
            hash,
            repair.reason(),
            repair.until(),
            repair.version(),
            repair.rate(),
            startedBy);
    if (added == 1) {
      return Optional.empty();
    }
    Optional<UUID> other = Sql.find(tx, UNFINISHED, row -> requireNonNull(row.uuid("id")), hash);
    // It may have ended between the two statements.
    return other.isPresent() ? other : insert(tx, id, repair, filter, startedBy);
  }

  /** Empty when there is no such repair. */
  static Optional<Repair> find(Connection tx, UUID id) throws SQLException {
    return read(tx, FIND, id).stream().findFirst();
  }

  /** As {@link #find}, and nothing else changes the repair until the transaction ends. */
  static Optional<Repair> lock(Connection tx, UUID id) throws SQLException {
    return read(tx, LOCK, id).stream().findFirst();
  }

  /**
   * @param saga only those that it is marked by; null for all
   * @param before only those that were started before this one; null to start with the newest
   */
  static List<Repair> newest(Connection tx, @Nullable UUID saga, @Nullable UUID before, int limit)
      throws SQLException {
    return read(tx, NEWEST, before, before, saga, saga, limit);
  }

  /**
   * The sagas of a repair, by their ids.
   *
   * @param outcome null for any
   * @param after only those with a higher id; null to start with the first
   */
  static List<RepairedSaga> sagas(
      Connection tx, UUID repair, @Nullable RepairOutcome outcome, @Nullable UUID after, int limit)
      throws SQLException {
    return Sql.query(tx, SAGAS, RepairRows::saga, repair, outcome, outcome, after, after, limit);
  }

  /** Gives a repair that is locked another status. */
  static void change(Connection tx, UUID id, RepairStatus status, @Nullable String approvedBy)
      throws SQLException {
    Sql.update(tx, SWITCH, status, approvedBy, status, id);
  }

  /** Identifies the same action on the same sagas. */
  byte[] hash(SagaDetails.Kind action, SagaFilter filter) {
    return Fingerprint.sha256().digest((action + "\n" + text(filter)).getBytes(UTF_8));
  }

  /** The filter as it is stored: the parts that were given, in one order. */
  String text(SagaFilter filter) {
    return filters.write(filter);
  }

  /** The filter of a stored text. */
  SagaFilter filter(String text) {
    return filters.read(text);
  }

  private static RepairedSaga saga(Row row) throws SQLException {
    return new RepairedSaga(
        requireNonNull(row.uuid("saga_id")),
        requireNonNull(row.constant("outcome", RepairOutcome.class)),
        row.text("why"),
        requireNonNull(row.time("at")));
  }

  private static List<Repair> read(Connection tx, String select, @Nullable Object... parameters)
      throws SQLException {
    List<Repair> repairs = Sql.query(tx, select, RepairRows::repair, parameters);
    Map<UUID, List<Count>> counts =
        repairs.isEmpty()
            ? Map.of()
            : Sql.query(tx, COUNTS, Count::of, Column.uuids(repairs, Repair::id)).stream()
                .collect(groupingBy(Count::repair));
    return repairs.stream()
        .map(repair -> counted(repair, counts.getOrDefault(repair.id(), List.of())))
        .toList();
  }

  private static Repair repair(Row row) throws SQLException {
    return new Repair(
        requireNonNull(row.uuid("id")),
        requireNonNull(row.constant("action", SagaDetails.Kind.class)),
        requireNonNull(row.text("filter")),
        row.text("reason"),
        row.time("until"),
        toVersion(row),
        row.integer("per_second"),
        requireNonNull(row.constant("status", RepairStatus.class)),
        requireNonNull(row.text("started_by")),
        row.text("approved_by"),
        requireNonNull(row.time("started_at")),
        row.time("finished_at"),
        Repair.Done.NONE,
        List.of(),
        false);
  }

  /** To which sagas are migrated; null for other actions. */
  static @Nullable Integer toVersion(Row row) throws SQLException {
    int version = row.integer("to_version");
    return version == 0 ? null : version;
  }

  private static Repair counted(Repair repair, List<Count> counts) {
    return repair.counted(
        new Repair.Done(
            sagas(counts, RepairOutcome.REQUESTED),
            sagas(counts, RepairOutcome.REPAIRED),
            sagas(counts, RepairOutcome.FAILED),
            sagas(counts, RepairOutcome.REFUSED),
            sagas(counts, RepairOutcome.PENDING)),
        counts.stream()
            .filter(count -> count.why() != null)
            .map(count -> new FailureReason(count.why(), count.sagas()))
            .toList());
  }

  private static int sagas(List<Count> counts, RepairOutcome outcome) {
    return counts.stream().filter(count -> count.outcome() == outcome).mapToInt(Count::sagas).sum();
  }
}
