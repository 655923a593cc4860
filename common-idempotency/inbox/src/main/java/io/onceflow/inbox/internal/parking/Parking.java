package io.onceflow.inbox.internal.parking;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.core.internal.Printable;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.participant.Answer.UnprocessableMessage;
import io.onceflow.sql.Column;
import io.onceflow.sql.Column.JsonColumn;
import io.onceflow.sql.Sql;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps messages that cannot be handled in {@code parked_message}, with their reason, for an
 * operator (rule 13). What is parked may be acknowledged: it is stored in the application's
 * database.
 */
@ApplicationScoped
public class Parking implements ParkedMessageSink {

  private static final Logger LOG = Logger.getLogger(Parking.class);

  static final String COUNTER = "onceflow.inbox.parked";

  /** What kept replies wait for. */
  public static final String KEPT = "kept";

  private static final int LONGEST_DETAIL = 1000;

  private static final String INSERT =
      """
      INSERT INTO parked_message
             (id, queue, message_id, type, correlation_id, reply_to, headers, payload,
              reason, detail, next_attempt_at, waits_for, routing_key)
      VALUES (?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?, CASE WHEN ? THEN 'infinity' ELSE now() + make_interval(secs => ?::float8) END,
              nullif(?::text[], '{}'), ?)
      """;

  /** The attempts at a step have the same headers but for their trace, and so have its answers. */
  private static final String IS_DEFERRED =
      """
      SELECT id
      FROM   parked_message
      WHERE  correlation_id = ?
      AND    waits_for IS NOT NULL
      AND    queue = ?
      AND    type = ?
      AND    payload = ?
      AND    headers - 'traceparent' = ?::jsonb - 'traceparent'
      LIMIT  1
      """;

  private final JsonColumn<Map<String, String>> headers;
  private final MeterRegistry registry;
  private final Duration deferFor;

  public Parking(ObjectMapper json, MeterRegistry registry, InboxConfig config) {
    this.headers = new JsonColumn<>("parked_message.headers", json, new TypeReference<>() {});
    this.registry = registry;
    this.deferFor = config.handling().deferFor();
  }

  /** A command of an unknown type is deferred for a process that knows the type. */
  @Override
  public void park(Transaction tx, Delivery delivery, UnprocessableMessage why)
      throws SQLException {
    boolean isDeferred = why.reason() == ParkingReason.UNKNOWN_COMMAND;
    store(tx, delivery, why, isDeferred ? List.of(String.valueOf(delivery.type())) : List.of());
  }

  /**
   * Stores a reply for a process that knows it, in the transaction after which it is acknowledged.
   *
   * @param waitsFor what it has to know, any of these
   * @param detail for an operator
   */
  public void defer(Transaction tx, Delivery reply, List<String> waitsFor, String detail)
      throws SQLException {
    store(tx, reply, new UnprocessableMessage(ParkingReason.DEFERRED, detail), waitsFor);
  }

  /**
   * Stores a reply that may not be taken now, in the transaction after which it is acknowledged.
   * What it waits for is {@link #KEPT}, which no replica knows, and it does not expire: it is taken
   * once another transaction gives it something else to wait for, and a time.
   */
  public void keep(Transaction tx, Delivery reply, String detail) throws SQLException {
    defer(tx, reply, List.of(KEPT), detail);
  }

  private void store(
      Transaction tx, Delivery delivery, UnprocessableMessage why, List<String> waitsFor)
      throws SQLException {
    String kept = headers.write(kept(delivery)).replace("\\u0000", "\\ufffd");
    if (!waitsFor.isEmpty() && isDeferred(tx, delivery, kept)) {
      return;
    }
    @Nullable Double triedAfter = null;
    if (!waitsFor.isEmpty()) {
      triedAfter = ParkedMessages.seconds(deferFor);
    } else if (why.reason().isTriedAgain()) {
      triedAfter = 0.0;
    }
    Sql.update(
        tx.connection(),
        INSERT,
        OutboxMessage.newId(),
        delivery.queue(),
        Printable.escape(delivery.messageId()),
        Printable.escape(delivery.type()),
        Printable.escape(delivery.correlationId()),
        Printable.escape(delivery.replyTo()),
        kept,
        delivery.body(),
        why.reason().word(),
        detail(why),
        waitsFor.contains(KEPT),
        triedAfter,
        Column.texts(waitsFor),
        Printable.escape(delivery.routingKey()));
    tx.afterCommit(() -> tell(delivery, why));
  }

  /** Whether the same message waits already: it is resent with the same bytes. */
  private static boolean isDeferred(Transaction tx, Delivery delivery, String headers)
      throws SQLException {
    return Sql.find(
            tx.connection(),
            IS_DEFERRED,
            row -> row.uuid("id"),
            Printable.escape(delivery.correlationId()),
            delivery.queue(),
            Printable.escape(delivery.type()),
            delivery.body(),
            headers)
        .isPresent();
  }

  /** Its headers, with what its transport has found wrong, which a redrive has to find again. */
  private static Map<String, String> kept(Delivery delivery) {
    Map<String, String> kept = new HashMap<>(delivery.headers());
    kept.remove(MessageHeaders.FAULT);
    String fault = delivery.fault();
    if (fault != null) {
      kept.put(MessageHeaders.FAULT, fault);
    }
    return kept;
  }

  /** Not earlier: a batch that is rolled back is settled again, and would tell everything twice. */
  private void tell(Delivery delivery, UnprocessableMessage why) {
    if (why.reason() == ParkingReason.DEFERRED) {
      registry.counter("onceflow.replies.deferred").increment();
      delivery.about().run(() -> LOG.infof("deferred %s: %s", delivery, detail(why)));
      return;
    }
    registry.counter(COUNTER, "reason", why.reason().word()).increment();
    delivery
        .about()
        .run(() -> LOG.warnf("parked %s: %s, %s", delivery, why.reason().word(), detail(why)));
  }

  /**
   * Messages that take effect once and came again: messages without a reply are counted only here.
   */
  public void countRepeated(int messages) {
    registry.counter("onceflow.inbox.messages.repeated").increment(messages);
  }

  /** It may repeat a header of the message's, which may hold anything. */
  static String detail(Exception why) {
    String detail = Objects.requireNonNullElse(Printable.escape(why.getMessage()), "");
    return detail.length() <= LONGEST_DETAIL ? detail : detail.substring(0, LONGEST_DETAIL) + "…";
  }
}
