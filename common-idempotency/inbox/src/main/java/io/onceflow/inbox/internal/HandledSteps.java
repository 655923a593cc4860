package io.onceflow.inbox.internal;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.StepKey;
import io.onceflow.inbox.internal.HandledStep.Progress;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.participant.CallKey;
import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reads what the inbox knows of the steps of one saga. Locks nothing and changes nothing. */
@ApplicationScoped
public class HandledSteps {

  /** By the primary key: as many look-ups as steps are asked for, however many rows there are. */
  static final String FIND =
      """
      SELECT   i.step_key, i.status, i.fencing_token, i.attempts, i.received_at, i.taken_up_at,
               i.completed_at, i.outcome::text, i.pending_since,
               CASE i.status WHEN 'STARTED' THEN i.lease_expires_at END AS due_at
      FROM     inbox_message i
      WHERE    i.scope = ?
      AND      i.step_key = ANY (?)
      ORDER BY i.received_at, i.step_key
      """;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final DataSource database;
  private final Iterable<LaterFailures> laterFailures;

  @Inject
  HandledSteps(DataSource database, Instance<LaterFailures> laterFailures) {
    this(database, (Iterable<LaterFailures>) laterFailures);
  }

  HandledSteps(DataSource database, Iterable<LaterFailures> laterFailures) {
    this.database = database;
    this.laterFailures = laterFailures;
  }

  /**
   * Whose steps are asked for.
   *
   * @param scope of the root key
   * @param origin application and definition; empty for a command that names none
   */
  public record Owner(String scope, IdempotencyKey rootKey, String origin) {

    /** The key of a step of this name. */
    public String stepKey(String step) {
      return new StepKey(rootKey, step, origin).toString();
    }

    private String call(HandledStep step) {
      return CallKey.of(scope, stepKey(step.step())).value();
    }
  }

  /** Those of these steps and compensations that the inbox knows, in the order of their arrival. */
  public List<HandledStep> find(Owner owner, Collection<String> steps) throws SQLException {
    try (Connection connection = database.getConnection()) {
      List<HandledStep> found =
          Sql.queryWithFreshPlan(
              connection,
              FIND,
              HandledSteps::read,
              owner.scope(),
              Column.texts(steps.stream().map(owner::stepKey).toList()));
      Map<String, String> failed = new HashMap<>();
      for (LaterFailures each : laterFailures) {
        failed.putAll(each.of(connection, found.stream().map(owner::call).toList()));
      }
      return found.stream()
          .map(step -> step.withLaterFailure(failed.get(owner.call(step))))
          .toList();
    }
  }

  private static HandledStep read(Row row) throws SQLException {
    InboxRow.Status status = row.constant("status", InboxRow.Status.class);
    String step = StepKey.parse(row.text("step_key")).step();
    return switch (status) {
      case TOMBSTONE ->
          new HandledStep(
              step,
              Progress.TOMBSTONE,
              null,
              null,
              row.time("received_at"),
              null,
              0,
              null,
              null,
              null);
      case STARTED -> reached(row, step, Progress.STARTED);
      case COMPLETED -> reached(row, step, Progress.ANSWERED);
    };
  }

  private static HandledStep reached(Row row, String step, Progress progress) throws SQLException {
    return new HandledStep(
        step,
        progress,
        row.time("received_at"),
        begunAt(row),
        row.time("completed_at"),
        row.time("due_at"),
        row.integer("attempts"),
        outcome(row.text("outcome")),
        row.time("pending_since"),
        null);
  }

  /** Read here: PostgreSQL gives no field of a JSON in which some text holds the character NUL. */
  private static @Nullable ReplyOutcome outcome(@Nullable String stored) {
    return stored == null ? null : StepOutcome.stored(stored, JSON).result();
  }

  /**
   * The first owner of a step starts it when it arrives, unless it found no place in its lane: then
   * no attempt is counted.
   */
  private static @Nullable Instant begunAt(Row row) throws SQLException {
    Instant takenUpAt = row.time("taken_up_at");
    boolean isBegun = row.integer("attempts") > 0 || row.time("pending_since") != null;
    boolean isFirstOwners = row.bigint("fencing_token") == 1 && isBegun;
    return takenUpAt == null && isFirstOwners ? row.time("received_at") : takenUpAt;
  }
}
