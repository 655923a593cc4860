package io.onceflow.messaging.emitter.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.internal.tracing.Tracing;
import io.onceflow.messaging.MessageAttributes;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.outbox.internal.OutboxTable;
import io.onceflow.outbox.internal.relay.RelaySignal;
import jakarta.inject.Singleton;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/**
 * Records the messages of channels in the outbox, and wakes the channel's relay after the commit.
 */
@Singleton
class ChannelOutbox {

  private final DataSource database;
  private final ObjectMapper json;
  private final TransactionSynchronizationRegistry transactions;
  private final OutboxTable table;
  private final Map<String, RelaySignal> signals = new ConcurrentHashMap<>();

  ChannelOutbox(
      DataSource database, ObjectMapper json, TransactionSynchronizationRegistry transactions) {
    this.database = database;
    this.json = json;
    this.transactions = transactions;
    this.table = new OutboxTable(json);
  }

  /** Raised when a message of the channel has been committed by this process. */
  RelaySignal signal(String channel) {
    return signals.computeIfAbsent(channel, name -> new RelaySignal());
  }

  void record(String channel, Object payload, MessageAttributes attributes) {
    if (transactions.getTransactionStatus() != Status.STATUS_ACTIVE) {
      throw new IllegalStateException(
          ("no transaction is open, so nothing is sent to channel %s; send from a method that is"
                  + " @Once, @Idempotent or @Transactional")
              .formatted(channel));
    }
    List<OutboxMessage> message = List.of(message(channel, payload, attributes));
    try (Connection connection = database.getConnection()) {
      table.insert(connection, message, Duration.ZERO);
    } catch (SQLException e) {
      throw new IllegalStateException(
          "the message to channel %s was not recorded".formatted(channel), e);
    }
    transactions.registerInterposedSynchronization(new Wake(signal(channel)));
  }

  private OutboxMessage message(String channel, Object payload, MessageAttributes attributes) {
    UUID id = OutboxMessage.newId();
    return new OutboxMessage(
        id,
        ChannelMessages.AGGREGATE_TYPE + channel,
        Optional.ofNullable(attributes.recordKey()).orElseGet(id::toString),
        Optional.ofNullable(attributes.type()).orElseGet(() -> payload.getClass().getSimpleName()),
        payload instanceof String text ? text : rendered(channel, payload),
        OutboxMessage.CHANNELS,
        channel,
        null,
        null,
        headers(id, payload, attributes));
  }

  /** With an idempotency key, by which a receiver knows a message that comes twice. */
  private static Map<String, String> headers(
      UUID id, Object payload, MessageAttributes attributes) {
    String messageId = Optional.ofNullable(attributes.messageId()).orElseGet(id::toString);
    Map<String, String> headers = new HashMap<>();
    headers.put(MessageHeaders.IDEMPOTENCY_KEY, messageId);
    headers.put(
        ChannelMessages.CONTENT_TYPE,
        payload instanceof String ? "text/plain" : "application/json");
    Tracing.current().ifPresent(trace -> headers.put(MessageHeaders.TRACEPARENT, trace));
    headers.putAll(attributes.headers());
    headers.put(ChannelMessages.MESSAGE_ID, messageId);
    return headers;
  }

  private String rendered(String channel, Object payload) {
    try {
      return json.writeValueAsString(payload);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "%s cannot be sent to channel %s: it cannot be written as JSON"
              .formatted(payload.getClass().getName(), channel),
          e);
    }
  }

  private record Wake(RelaySignal signal) implements Synchronization {

    @Override
    public void beforeCompletion() {
      // The row is written already.
    }

    @Override
    public void afterCompletion(int status) {
      if (status == Status.STATUS_COMMITTED) {
        signal.raise();
      }
    }
  }
}
