package io.onceflow.inbox.internal.parking;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.core.internal.Printable;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.participant.Answer.UnprocessableMessage;
import io.onceflow.sql.Column.JsonColumn;
import io.onceflow.sql.Sql;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jboss.logging.Logger;

/**
 * Keeps messages that cannot be handled in {@code parked_message}, with their reason, for an
 * operator (rule 13). What is parked may be acknowledged: it is stored in the application's
 * database.
 */
@ApplicationScoped
public class Parking implements ParkedMessageSink {

  private static final Logger LOG = Logger.getLogger(Parking.class);

  static final String COUNTER = "onceflow.inbox.parked";

  private static final int LONGEST_DETAIL = 1000;

  private static final String INSERT =
      """
      INSERT INTO parked_message
             (id, queue, message_id, type, correlation_id, reply_to, headers, payload,
              reason, detail, next_attempt_at, routing_key)
      VALUES (?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?, CASE WHEN ? THEN now() END, ?)
      """;

  /** The attempts at a step have the same headers but for their trace. */
  private static final String DEFERRED =
      """
      SELECT id
      FROM   parked_message
      WHERE  correlation_id = ?
      AND    reason = 'unknown-type'
      AND    next_attempt_at IS NOT NULL
      AND    queue = ?
      AND    type = ?
      AND    payload = ?
      AND    headers - 'traceparent' = ?::jsonb - 'traceparent'
      LIMIT  1
      """;

  private final JsonColumn<Map<String, String>> headers;
  private final MeterRegistry registry;

  public Parking(ObjectMapper json, MeterRegistry registry) {
    this.headers = new JsonColumn<>("parked_message.headers", json, new TypeReference<>() {});
    this.registry = registry;
  }

  @Override
  public void park(Transaction tx, Delivery delivery, UnprocessableMessage why)
      throws SQLException {
    String kept = headers.write(kept(delivery)).replace("\\u0000", "\\ufffd");
    if (why.reason() == ParkingReason.UNKNOWN_COMMAND && isDeferred(tx, delivery, kept)) {
      return;
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
        why.reason().isTriedAgain(),
        Printable.escape(delivery.routingKey()));
    tx.afterCommit(() -> tell(delivery, why));
  }

  /** Whether the same command waits already: its saga sends it again, with the same bytes. */
  private static boolean isDeferred(Transaction tx, Delivery delivery, String headers)
      throws SQLException {
    return Sql.find(
            tx.connection(),
            DEFERRED,
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
