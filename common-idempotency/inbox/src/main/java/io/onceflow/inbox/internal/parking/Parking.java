package io.onceflow.inbox.internal.parking;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.core.internal.Printable;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.UnprocessableMessage;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.Transaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import org.jboss.logging.Logger;

/**
 * Keeps messages that cannot be handled in {@code parked_message}, with their reason, for an
 * operator (rule 13). What is parked may be acknowledged: it is in our own database, not lost.
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

  private final ObjectMapper json;
  private final MeterRegistry registry;

  public Parking(ObjectMapper json, MeterRegistry registry) {
    this.json = json;
    this.registry = registry;
  }

  @Override
  public void park(Transaction tx, Delivery delivery, UnprocessableMessage why)
      throws SQLException {
    try (PreparedStatement insert = tx.connection().prepareStatement(INSERT)) {
      insert.setObject(1, OutboxMessage.newId());
      insert.setString(2, delivery.queue());
      insert.setString(3, Printable.escape(delivery.messageId()));
      insert.setString(4, Printable.escape(delivery.type()));
      insert.setString(5, Printable.escape(delivery.correlationId()));
      insert.setString(6, Printable.escape(delivery.replyTo()));
      insert.setString(7, write(delivery.headers()));
      insert.setBytes(8, delivery.body());
      insert.setString(9, why.reason().word());
      insert.setString(10, detail(why));
      // What failed for a reason of our own may go well the next time: see FailedMessages.
      insert.setBoolean(11, why.reason() == ParkingReason.HANDLING_FAILED);
      insert.setString(12, Printable.escape(delivery.routingKey()));
      insert.executeUpdate();
    }
    tx.afterCommit(() -> tell(delivery, why));
  }

  /** Not earlier: a batch that is rolled back is settled anew, and would tell everything twice. */
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

  private String write(Map<String, String> headers) {
    try {
      return json.writeValueAsString(headers).replace("\\u0000", "\\ufffd");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a map of strings is always JSON", e);
    }
  }

  /** It may repeat a header of the message's, which may hold anything. */
  static String detail(Exception why) {
    String detail = Objects.requireNonNullElse(Printable.escape(why.getMessage()), "");
    return detail.length() <= LONGEST_DETAIL ? detail : detail.substring(0, LONGEST_DETAIL) + "…";
  }
}
