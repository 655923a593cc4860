package io.onceflow.saga.internal.store.control;

import static java.util.Objects.requireNonNull;

import io.onceflow.saga.SagaView.Hold;
import io.onceflow.saga.internal.store.control.DefinitionControl.StartShare;
import io.onceflow.saga.internal.store.hold.HeldSagas;
import io.onceflow.saga.internal.store.hold.HoldColumn;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** {@code saga_definition_control}: what operators have set for definitions. */
public final class DefinitionControls {

  /** Whether anything is set, as {@link io.onceflow.internal.database.DatabaseWatch} asks it. */
  public static final String IS_ANY_SET =
      "EXISTS (SELECT FROM saga_definition_control WHERE definition <> ?)";

  private static final String READ =
      """
      SELECT definition, hold, resuming, start_version, start_share, start_by, start_reason,
             start_since
      FROM   saga_definition_control
      """;

  private static final String HOLD =
      """
      INSERT INTO saga_definition_control AS control (definition, hold)
      VALUES (?, json_build_object('by', ?::text, 'reason', ?::text, 'since', now(),
                                   'until', ?::timestamptz, 'definition', true))
      ON CONFLICT (definition) DO UPDATE
      SET    hold = excluded.hold, resuming = NULL
      WHERE  control.hold IS NULL
      """;

  private static final String RESUME =
      """
      UPDATE saga_definition_control
      SET    hold = NULL, resuming = ?
      WHERE  definition = ?
      AND    hold IS NOT NULL
      """;

  private static final String IS_OVER =
      """
      SELECT definition
      FROM   saga_definition_control
      WHERE  definition = ?
      AND    (hold ->> 'until')::timestamptz <= now()
      FOR UPDATE
      """;

  private static final String START =
      """
      INSERT INTO saga_definition_control
             (definition, start_version, start_share, start_by, start_reason, start_since)
      VALUES (?, ?, ?, ?, ?, now())
      ON CONFLICT (definition) DO UPDATE
      SET    start_version = excluded.start_version,
             start_share   = excluded.start_share,
             start_by      = excluded.start_by,
             start_reason  = excluded.start_reason,
             start_since   = excluded.start_since
      """;

  private static final String START_AS_CONFIGURED =
      """
      UPDATE saga_definition_control
      SET    start_version = NULL, start_share = NULL, start_by = NULL, start_reason = NULL,
             start_since = NULL
      WHERE  definition = ?
      AND    start_version IS NOT NULL
      """;

  /** Keeps the definition from being resumed until the transaction ends. */
  private static final String KEEP_HOLD =
      """
      SELECT hold
      FROM   saga_definition_control
      WHERE  definition = ?
      AND    hold IS NOT NULL
      FOR SHARE
      """;

  private static final String NOT_YET_HELD =
      """
      SELECT   id
      FROM     saga_instance
      WHERE    definition = ?
      AND      next_action_at < 'infinity'
      AND      hold IS NULL
      ORDER BY next_action_at
      LIMIT    ?
      FOR UPDATE SKIP LOCKED
      """;

  private static final String QUARANTINED =
      """
      SELECT id
      FROM   saga_instance
      WHERE  definition = ?
      AND    next_action_at = 'infinity'
      AND    hold IS NULL
      FOR UPDATE
      """;

  private static final String HELD_WITH_IT =
      """
      SELECT id
      FROM   saga_instance
      WHERE  definition = ?
      AND    next_action_at = 'infinity'
      AND    (hold ->> 'definition')::boolean
      """;

  private static final String RESUMED =
      """
      UPDATE saga_definition_control
      SET    resuming = NULL
      WHERE  definition = ?
      AND    hold IS NULL
      AND    NOT EXISTS (%s)
      """
          .formatted(HELD_WITH_IT);

  private static final String FORGET =
      """
      DELETE FROM saga_definition_control
      WHERE  definition = ?
      AND    hold IS NULL
      AND    resuming IS NULL
      AND    start_version IS NULL
      """;

  private DefinitionControls() {}

  /** Of all definitions of which something is set. */
  public static List<DefinitionControl> read(Connection tx) throws SQLException {
    return Sql.query(tx, READ, DefinitionControls::control);
  }

  /** Of one definition. */
  public static DefinitionControl read(Connection tx, String definition) throws SQLException {
    return Sql.find(tx, READ + "WHERE definition = ?", DefinitionControls::control, definition)
        .orElseGet(() -> DefinitionControl.none(definition));
  }

  private static DefinitionControl control(Row row) throws SQLException {
    @Nullable String startedBy = row.text("start_by");
    return new DefinitionControl(
        requireNonNull(row.text("definition")),
        HoldColumn.of(row),
        row.text("resuming"),
        startedBy == null
            ? null
            : new StartShare(
                row.integer("start_version"),
                row.integer("start_share"),
                startedBy,
                row.text("start_reason"),
                requireNonNull(row.time("start_since"))));
  }

  /**
   * Holds a definition. Those of its sagas that are in quarantine are held at once, the others by
   * {@link #holdSome}.
   *
   * @return false when it is on hold already
   */
  public static boolean hold(Connection tx, String definition, Hold hold) throws SQLException {
    if (Sql.update(tx, HOLD, definition, hold.by(), hold.reason(), hold.until()) == 0) {
      return false;
    }
    HeldSagas.hold(tx, ids(tx, QUARANTINED, definition), hold);
    return true;
  }

  /**
   * Ends the hold of a definition; its sagas are resumed by {@link #resumeSome}.
   *
   * @param why for their history
   * @return false when it is not on hold
   */
  public static boolean resume(Connection tx, String definition, String why) throws SQLException {
    return Sql.update(tx, RESUME, why, definition) > 0;
  }

  /** Locks a definition whose hold is over; false where it is not. */
  public static boolean lockIfOver(Connection tx, String definition) throws SQLException {
    return !Sql.query(tx, IS_OVER, row -> true, definition).isEmpty();
  }

  /** The hold of a definition, which lasts until the transaction ends; empty if there is none. */
  public static Optional<Hold> keepHold(Connection tx, String definition) throws SQLException {
    return Sql.find(tx, KEEP_HOLD, row -> requireNonNull(HoldColumn.of(row)), definition);
  }

  /** Holds some of the sagas of a definition that is on hold; answers how many. */
  public static int holdSome(Connection tx, String definition, int limit) throws SQLException {
    Optional<Hold> hold = keepHold(tx, definition);
    return hold.isEmpty()
        ? 0
        : HeldSagas.hold(tx, ids(tx, NOT_YET_HELD, definition, limit), hold.get()).size();
  }

  /**
   * Resumes some of the sagas of a definition that is being resumed, and notes when none is left.
   *
   * @return how many
   */
  public static int resumeSome(Connection tx, String definition, String why, int limit)
      throws SQLException {
    List<UUID> some = ids(tx, HELD_WITH_IT + "LIMIT ? FOR UPDATE SKIP LOCKED", definition, limit);
    HeldSagas.resume(tx, some, why);
    if (some.isEmpty()) {
      Sql.update(tx, RESUMED, definition, definition);
      Sql.update(tx, FORGET, definition);
    }
    return some.size();
  }

  /** Has a share of the new sagas of a definition follow a version. */
  public static void start(
      Connection tx, String definition, int version, int share, String by, @Nullable String reason)
      throws SQLException {
    Sql.update(tx, START, definition, version, share, by, reason);
  }

  /**
   * Has all new sagas follow the configured version again.
   *
   * @return false when they did
   */
  public static boolean startAsConfigured(Connection tx, String definition) throws SQLException {
    boolean wasSet = Sql.update(tx, START_AS_CONFIGURED, definition) > 0;
    Sql.update(tx, FORGET, definition);
    return wasSet;
  }

  private static List<UUID> ids(Connection tx, String select, Object... parameters)
      throws SQLException {
    return Sql.query(tx, select, row -> row.uuid("id"), parameters);
  }
}
