package io.onceflow.saga.internal.repair;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.core.internal.Fingerprint;
import io.onceflow.saga.internal.repair.Repair.Done;
import io.onceflow.saga.internal.repair.Repair.FailureReason;
import io.onceflow.saga.internal.repair.Repair.RepairedSaga;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code saga_repair} as operators use it: they add, read and switch repairs. */
final class RepairRows {

  private static final String INSERT =
      """
      INSERT INTO saga_repair
             (id, action, filter, filter_hash, reason, per_second, status, started_by)
      VALUES (?, ?, ?::json, ?, ?, ?, ?, ?)
      ON CONFLICT (filter_hash) WHERE finished_at IS NULL DO NOTHING
      """;

  private static final String UNFINISHED =
      "SELECT id FROM saga_repair WHERE filter_hash = ? AND finished_at IS NULL";

  /** Written out, so that a column that a migration adds leaves prepared statements as they are. */
  private static final String COLUMNS =
      """
      id, action, filter, reason, per_second, status, started_by, approved_by, started_at,
      finished_at, chosen_all, pending, requested, repaired, failed, refused
      """;

  private static final String FIND = "SELECT %s FROM saga_repair WHERE id = ?".formatted(COLUMNS);

  private static final String LOCK = FIND + " FOR NO KEY UPDATE";

  private static final String NEWEST =
      """
      SELECT   %s
      FROM     saga_repair
      WHERE    ?::uuid IS NULL OR id < ?
      ORDER BY id DESC                -- UUIDv7: the order of time
      LIMIT    ?
      """
          .formatted(COLUMNS);

  private static final String REASONS =
      """
      SELECT   repair_id, why, count(*) AS sagas
      FROM     saga_repair_item
      WHERE    repair_id = ANY (?)
      AND      outcome IN ('FAILED', 'REFUSED')
      GROUP BY repair_id, why
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

  /** The time while it did not run is no standstill. */
  private static final String SWITCH =
      """
      UPDATE saga_repair
      SET    status = ?,
             approved_by = coalesce(?, approved_by),
             finished_at = CASE WHEN ? IN ('STOPPED', 'FINISHED') THEN now() END,
             progressed_at = now()
      WHERE  id = ?
      """;

  private final JsonColumn<RepairFilter> filters;

  RepairRows(ObjectMapper json) {
    filters = new JsonColumn<>("saga_repair.filter", json, new TypeReference<>() {});
  }

  /**
   * Adds a repair.
   *
   * @return empty when it was added; the unfinished repair with the same action and filter if there
   *     is one, and then nothing was added
   */
  Optional<UUID> insert(
      Connection tx, UUID id, NewRepair repair, RepairStatus status, String startedBy)
      throws SQLException {
    int added =
        Sql.update(
            tx,
            INSERT,
            id,
            repair.action(),
            text(repair.filter()),
            hash(repair.action(), repair.filter()),
            repair.reason(),
            repair.rate(),
            status,
            startedBy);
    if (added == 1) {
      return Optional.empty();
    }
    byte[] same = hash(repair.action(), repair.filter());
    Optional<UUID> other = Sql.find(tx, UNFINISHED, row -> requireNonNull(row.uuid("id")), same);
    // It may have ended between the two statements.
    return other.isPresent() ? other : insert(tx, id, repair, status, startedBy);
  }

  /** Empty when there is no such repair. */
  Optional<Repair> find(Connection tx, UUID id) throws SQLException {
    return withReasons(tx, Sql.query(tx, FIND, this::read, id)).stream().findFirst();
  }

  /** As {@link #find}, and nobody else changes the repair until the transaction ends. */
  Optional<Repair> lock(Connection tx, UUID id) throws SQLException {
    return withReasons(tx, Sql.query(tx, LOCK, this::read, id)).stream().findFirst();
  }

  /**
   * @param before only those that were started before this one; null to begin with the newest
   */
  List<Repair> newest(Connection tx, @Nullable UUID before, int limit) throws SQLException {
    return withReasons(tx, Sql.query(tx, NEWEST, this::read, before, before, limit));
  }

  /**
   * The sagas of a repair, by their ids.
   *
   * @param outcome null for any
   * @param after only those with a higher id; null to begin with the first
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
  byte[] hash(RepairAction action, RepairFilter filter) {
    return Fingerprint.sha256().digest((action + "\n" + text(filter)).getBytes(UTF_8));
  }

  /** The filter as it is stored: the parts that were given, in one order. */
  String text(RepairFilter filter) {
    return filters.write(filter);
  }

  /** The filter of a stored text. */
  RepairFilter filter(String text) {
    return filters.read(text);
  }

  private List<Repair> withReasons(Connection tx, List<Repair> repairs) throws SQLException {
    List<UUID> failing =
        repairs.stream()
            .filter(it -> it.done().failed() + it.done().refused() > 0)
            .map(Repair::id)
            .toList();
    if (failing.isEmpty()) {
      return repairs;
    }
    Map<UUID, List<FailureReason>> reasons =
        Sql.query(tx, REASONS, RepairRows::reason, Column.uuids(failing)).stream()
            .collect(
                Collectors.groupingBy(
                    Map.Entry::getKey,
                    Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
    return repairs.stream()
        .map(it -> it.withFailureReasons(reasons.getOrDefault(it.id(), List.of())))
        .toList();
  }

  private static Map.Entry<UUID, FailureReason> reason(Row row) throws SQLException {
    return Map.entry(
        requireNonNull(row.uuid("repair_id")),
        new FailureReason(requireNonNull(row.text("why")), requireNonNull(row.bigint("sagas"))));
  }

  private static RepairedSaga saga(Row row) throws SQLException {
    return new RepairedSaga(
        requireNonNull(row.uuid("saga_id")),
        requireNonNull(row.constant("outcome", RepairOutcome.class)),
        row.text("why"),
        requireNonNull(row.time("at")));
  }

  private Repair read(Row row) throws SQLException {
    Done done =
        new Done(
            row.integer("requested"),
            row.integer("repaired"),
            row.integer("failed"),
            row.integer("refused"),
            row.integer("pending"));
    RepairStatus status = requireNonNull(row.constant("status", RepairStatus.class));
    int perSecond = row.integer("per_second");
    boolean isTimed = status == RepairStatus.RUNNING && row.truth("chosen_all");
    return new Repair(
        requireNonNull(row.uuid("id")),
        requireNonNull(row.constant("action", RepairAction.class)),
        filter(requireNonNull(row.text("filter"))),
        row.text("reason"),
        perSecond,
        status,
        requireNonNull(row.text("started_by")),
        row.text("approved_by"),
        requireNonNull(row.time("started_at")),
        row.time("finished_at"),
        done.total(),
        !row.truth("chosen_all"),
        done,
        isTimed ? done.pending() * 1_000L / perSecond : null,
        List.of(),
        false);
  }
}
