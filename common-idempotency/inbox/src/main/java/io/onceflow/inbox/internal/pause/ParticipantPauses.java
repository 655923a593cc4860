package io.onceflow.inbox.internal.pause;

import io.onceflow.inbox.internal.audit.AuditEntry;
import io.onceflow.inbox.internal.audit.AuditLog;
import io.onceflow.inbox.internal.audit.AuditSubject;
import io.onceflow.internal.database.DatabaseTransaction;
import io.onceflow.internal.database.DatabaseWatch;
import io.onceflow.sql.Sql;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * {@code participant_pause}: whether this application's participant is paused, for all replicas and
 * across restarts.
 */
@ApplicationScoped
public class ParticipantPauses {

  private static final String READ =
      "SELECT paused_by, paused_at, reason FROM participant_pause WHERE participant = ?";

  private static final String IS_PAUSED =
      "EXISTS (SELECT FROM participant_pause WHERE participant = ?)";

  private static final String PAUSE =
      """
      INSERT INTO participant_pause (participant, paused_by, reason)
      VALUES (?, ?, ?)
      ON CONFLICT DO NOTHING
      """;

  private static final String RESUME = "DELETE FROM participant_pause WHERE participant = ?";

  private final DataSource database;
  private final String participant;

  public ParticipantPauses(
      DataSource database, @ConfigProperty(name = "quarkus.application.name") String participant) {
    this.database = database;
    this.participant = participant;
  }

  /** Who paused it, when and why; empty while it is not paused. */
  public Optional<ParticipantPause> read() throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Sql.find(
          connection,
          READ,
          row ->
              new ParticipantPause(
                  Objects.requireNonNull(row.text("paused_by")),
                  Objects.requireNonNull(row.time("paused_at")),
                  row.text("reason")),
          participant);
    }
  }

  /** Whether it is paused, as a question that {@link DatabaseWatch} asks. */
  DatabaseWatch.Question whetherPaused(Consumer<Boolean> listener) {
    return new DatabaseWatch.Question(IS_PAUSED, participant, listener);
  }

  /**
   * Pauses it, and records that in the audit log.
   *
   * @return false when it was paused already; nothing has changed then
   */
  public boolean pause(String operator, String reason) throws SQLException {
    return DatabaseTransaction.call(
        database,
        tx ->
            Sql.update(tx, PAUSE, participant, operator, reason) > 0
                && recorded(tx, operator, "pause", reason));
  }

  /**
   * Lets it take commands again, and records that in the audit log.
   *
   * @return false when it was not paused; nothing has changed then
   */
  public boolean resume(String operator, String reason) throws SQLException {
    return DatabaseTransaction.call(
        database,
        tx -> Sql.update(tx, RESUME, participant) > 0 && recorded(tx, operator, "resume", reason));
  }

  private boolean recorded(Connection tx, String operator, String action, String reason)
      throws SQLException {
    AuditLog.record(
        tx, new AuditEntry(operator, action, AuditSubject.participant(participant), reason, null));
    return true;
  }
}
