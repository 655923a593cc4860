package io.onceflow.saga.internal.runtime;

import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Replies that the replica which received them did not know: they wait in {@code parked_message}
 * for a replica that does, which tries them with what else is parked.
 */
@ApplicationScoped
public class DeferredReplies {

  private static final String NEWEST =
      """
      SELECT   reply.id, saga.id AS saga_id, saga.definition, saga.version, reply.type,
               reply.message_id, reply.routing_key, reply.parked_at
      FROM     parked_message reply
      JOIN     saga_instance saga ON saga.id = reply.correlation_id::uuid
      WHERE    reply.waits_for IS NOT NULL
      AND      reply.reason = 'deferred'
      AND      (?::uuid IS NULL OR reply.id < ?)
      ORDER BY reply.id DESC
      LIMIT    ?
      """;

  private static final String BACKLOG =
      """
      SELECT count(*) AS waiting,
             coalesce(extract(epoch FROM now() - min(parked_at)), 0) AS oldest
      FROM   (SELECT   parked_at
              FROM     parked_message
              WHERE    waits_for IS NOT NULL
              AND      next_attempt_at < 'infinity'   -- not kept for a saga on hold
              AND      reason = 'deferred'
              ORDER BY next_attempt_at
              LIMIT    ?) AS counted
      """;

  private final UnitOfWork unitOfWork;

  /**
   * How many replies are deferred.
   *
   * @param waiting counted up to a bound
   * @param oldestSeconds how long the oldest of them has been; 0 when there is none
   */
  public record Backlog(long waiting, double oldestSeconds) {}

  public DeferredReplies(UnitOfWork unitOfWork) {
    this.unitOfWork = unitOfWork;
  }

  /** The newest first, those before {@code before} only unless that is null. */
  public List<DeferredReply> newest(@Nullable UUID before, int limit) throws SQLException {
    return unitOfWork.call(
        tx -> Sql.query(tx.connection(), NEWEST, DeferredReplies::listed, before, before, limit));
  }

  /** How many there are, and for how long. */
  public Backlog backlog(int most) throws SQLException {
    return unitOfWork.call(
        tx ->
            Sql.query(
                    tx.connection(),
                    BACKLOG,
                    row -> new Backlog(row.bigint("waiting"), row.real("oldest")),
                    most)
                .getFirst());
  }

  private static DeferredReply listed(Row row) throws SQLException {
    return new DeferredReply(
        row.uuid("id"),
        row.uuid("saga_id"),
        row.text("definition"),
        row.integer("version"),
        row.text("type"),
        row.text("message_id"),
        row.text("routing_key"),
        row.time("parked_at"));
  }
}
