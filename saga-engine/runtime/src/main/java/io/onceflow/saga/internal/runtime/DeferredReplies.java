package io.onceflow.saga.internal.runtime;

import static io.onceflow.sql.Column.integers;
import static io.onceflow.sql.Column.texts;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.parking.DeferredMessages;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.sql.Column.JsonColumn;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Replies that the replica which received them did not know, stored for a replica that does. A
 * replica looks only at those that it knows, so one that does not know them costs nothing.
 */
@ApplicationScoped
public class DeferredReplies implements DeferredMessages.Store {

  private static final Logger LOG = Logger.getLogger(DeferredReplies.class);

  private static final String INSERT =
      """
      INSERT INTO deferred_reply
             (id, saga_id, definition, version, type, queue, message_id, reply_to, routing_key,
              headers, payload)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?)
      """;

  /** Those, and only those, that are not deferred again. */
  private static final String KNOWN =
      """
      SELECT   id
      FROM     deferred_reply
      JOIN     unnest(?::text[], ?::int[], ?::text[]) AS known (definition, version, type)
               USING (definition, version, type)
      UNION                           -- those that are known by their outcome, whatever their type
      SELECT   id
      FROM     deferred_reply
      JOIN     unnest(?::text[], ?::int[]) AS known (definition, version)
               USING (definition, version)
      WHERE    headers ->> 'x-outcome' IN ('refused', 'cancelled', 'expired', 'unavailable', 'pending')
      OR       headers ->> 'x-outcome' = 'done' AND type = 'StepDone'
      UNION
      SELECT   id
      FROM     deferred_reply
      JOIN     unnest(?::text[], ?::int[], ?::text[]) AS known (definition, version, step)
               USING (definition, version)
      WHERE    headers ->> 'x-outcome' = 'done'
      AND      headers ->> 'x-saga-step' = step
      ORDER BY id                     -- UUIDv7: the order of arrival
      LIMIT    ?
      """;

  private static final String EXPIRED =
      """
      SELECT   id
      FROM     deferred_reply
      WHERE    received_at < now() - make_interval(secs => ?)
      ORDER BY received_at
      LIMIT    ?
      """;

  private static final String TAKE =
      """
      DELETE FROM deferred_reply
      WHERE  id = (SELECT id FROM deferred_reply WHERE id = ? FOR UPDATE SKIP LOCKED)
      RETURNING queue, message_id, type, saga_id, reply_to, headers, payload, routing_key
      """;

  private static final String NEWEST =
      """
      SELECT   id, saga_id, definition, version, type, message_id, routing_key, received_at
      FROM     deferred_reply
      WHERE    ?::uuid IS NULL OR id < ?
      ORDER BY id DESC
      LIMIT    ?
      """;

  private static final String BACKLOG =
      """
      SELECT count(*) AS waiting,
             coalesce(extract(epoch FROM now() - min(received_at)), 0) AS oldest
      FROM   (SELECT received_at FROM deferred_reply ORDER BY received_at LIMIT ?) AS counted
      """;

  private final JsonColumn<Map<String, String>> headers;
  private final Known known;
  private final UnitOfWork unitOfWork;
  private final SagaConfig config;
  private final MeterRegistry metrics;

  /**
   * How many replies are deferred.
   *
   * @param waiting counted up to a bound
   * @param oldestSeconds how long the oldest of them has been; 0 when there is none
   */
  public record Backlog(long waiting, double oldestSeconds) {}

  /** What a replica knows of the sagas of one version: a reply's type, or a step. */
  private record OfVersion(SagaDefinition<?> version, String name) {}

  /**
   * Which replies a replica knows.
   *
   * @param types by their type
   * @param versions of definitions; of their sagas it knows all replies whose outcome says it all
   * @param steps and compensations, whose success a reply of any type reports
   */
  private record Known(
      List<OfVersion> types, List<? extends SagaDefinition<?>> versions, List<OfVersion> steps) {

    static Known of(List<SagaRunner<?>> runners) {
      List<OfVersion> types = new ArrayList<>();
      List<SagaDefinition<?>> versions = new ArrayList<>();
      List<OfVersion> steps = new ArrayList<>();
      for (SagaRunner<?> runner : runners) {
        for (SagaDefinition<?> version : runner.versions()) {
          versions.add(version);
          runner.replies().keySet().forEach(type -> types.add(new OfVersion(version, type)));
          version.commandNames().stream()
              .filter(version::takesAnySuccess)
              .forEach(step -> steps.add(new OfVersion(version, step)));
        }
      }
      return new Known(types, versions, steps);
    }
  }

  DeferredReplies(
      SagaRunners sagas,
      UnitOfWork unitOfWork,
      SagaConfig config,
      ObjectMapper json,
      MeterRegistry metrics) {
    this.headers = new JsonColumn<>("deferred_reply.headers", json, new TypeReference<>() {});
    this.known = Known.of(sagas.all());
    this.unitOfWork = unitOfWork;
    this.config = config;
    this.metrics = metrics;
  }

  /**
   * Stores a reply in the transaction after which it is acknowledged.
   *
   * @param saga that it answers
   */
  public void defer(Transaction tx, Delivery reply, SagaState saga) throws SQLException {
    Sql.update(
        tx.connection(),
        INSERT,
        OutboxMessage.newId(),
        saga.id(),
        saga.definition(),
        saga.version(),
        reply.type(),
        reply.queue(),
        reply.messageId(),
        reply.replyTo(),
        reply.routingKey(),
        headers.write(reply.headers()).replace("\\u0000", "\\ufffd"),
        reply.body());
    tx.afterCommit(() -> report(reply, saga));
  }

  private void report(Delivery reply, SagaState saga) {
    metrics.counter("onceflow.replies.deferred").increment();
    LOG.infof(
        "deferred %s for a replica that knows it as a reply to %s v%s, which saga %s follows",
        reply, saga.definition(), saga.version(), saga.id());
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

  @Override
  public List<UUID> known(int most) throws SQLException {
    return unitOfWork.call(
        tx ->
            Sql.query(
                tx.connection(),
                KNOWN,
                DeferredReplies::id,
                texts(known.types(), it -> it.version().name()),
                integers(known.types(), it -> it.version().version()),
                texts(known.types(), OfVersion::name),
                texts(known.versions(), SagaDefinition::name),
                integers(known.versions(), SagaDefinition::version),
                texts(known.steps(), it -> it.version().name()),
                integers(known.steps(), it -> it.version().version()),
                texts(known.steps(), OfVersion::name),
                most));
  }

  @Override
  public List<UUID> expired(int most) throws SQLException {
    double seconds = config.replies().deferFor().toMillis() / 1_000.0;
    return unitOfWork.call(
        tx -> Sql.query(tx.connection(), EXPIRED, DeferredReplies::id, seconds, most));
  }

  @Override
  public Optional<Delivery> take(Transaction tx, UUID id) throws SQLException {
    return Sql.find(tx.connection(), TAKE, this::delivery, id);
  }

  @Override
  public void count(String outcome) {
    metrics.counter("onceflow.replies.deferred.ended", "outcome", outcome).increment();
  }

  private static UUID id(Row row) throws SQLException {
    return row.uuid("id");
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
        row.time("received_at"));
  }

  /** As the transport handed it over; it was acknowledged when it was deferred. */
  private Delivery delivery(Row row) throws SQLException {
    return new Delivery(
        row.text("queue"),
        row.text("message_id"),
        row.text("type"),
        row.uuid("saga_id").toString(),
        row.text("reply_to"),
        headers.read(row.text("headers")),
        row.bytes("payload"),
        () -> {},
        null,
        row.text("routing_key"));
  }
}
