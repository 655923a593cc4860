package io.onceflow.outbox;

import io.onceflow.internal.retention.TimeOrderedId;
import io.onceflow.outbox.internal.MessageHeaders;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message recorded in the transaction that decided to send it.
 *
 * @param id UUIDv7; the AMQP message-id, so that a message published twice is known as one
 * @param aggregateType what it is about, such as {@code order} (Debezium's {@code aggregatetype})
 * @param aggregateId which one (Debezium's {@code aggregateid})
 * @param type such as {@code ProcessPayment}
 * @param payload JSON
 * @param exchange where it is published
 * @param routingKey such as {@code payment.process}
 * @param correlationId the saga's id, or null for an event that belongs to none
 * @param replyTo routing key for the answer, or null when none is wanted
 * @param headers see {@link MessageHeaders}
 */
public record OutboxMessage(
    UUID id,
    String aggregateType,
    String aggregateId,
    String type,
    String payload,
    String exchange,
    String routingKey,
    @Nullable String correlationId,
    @Nullable String replyTo,
    Map<String, String> headers) {

  /** Exchange of commands; a participant's queue is bound by its routing keys. */
  public static final String COMMANDS = "onceflow.commands";

  /** Exchange of replies; the routing key is the command's reply-to. */
  public static final String REPLIES = "onceflow.replies";

  /** Exchange of events, for any subscriber. */
  public static final String EVENTS = "onceflow.events";

  /**
   * In place of an exchange, for messages that leave by a channel of Reactive Messaging: the
   * routing key is the channel's name. The transport never sees them.
   */
  public static final String CHANNELS = "onceflow.channels";

  /** A UUIDv7 starts with its 48 bits of milliseconds. */
  private static final int MILLISECONDS_FROM = 16;

  /** Of the shape of every payload. */
  private static final String VERSION = "1";

  /**
   * An event, for any subscriber.
   *
   * @param aggregateType what it is about, such as {@code order}
   * @param routingKey such as {@code order.created}
   * @param type such as {@code OrderCreated}
   * @param payload JSON
   */
  public static OutboxMessage event(
      String aggregateType, UUID aggregateId, String routingKey, String type, String payload) {
    return new OutboxMessage(
        newId(),
        aggregateType,
        aggregateId.toString(),
        type,
        payload,
        EVENTS,
        routingKey,
        null,
        null,
        Map.of(MessageHeaders.MESSAGE_VERSION, VERSION));
  }

  /** Copies the headers, so that a message cannot change after it was recorded. */
  public OutboxMessage {
    headers = Map.copyOf(headers);
  }

  /** The same, with a header more or another value of it. */
  public OutboxMessage with(String header, String value) {
    Map<String, String> changed = new HashMap<>(headers);
    changed.put(header, value);
    return new OutboxMessage(
        id,
        aggregateType,
        aggregateId,
        type,
        payload,
        exchange,
        routingKey,
        correlationId,
        replyTo,
        changed);
  }

  /** When it was recorded, to the millisecond: its id tells. */
  public Instant recordedAt() {
    return Instant.ofEpochMilli(id.getMostSignificantBits() >>> MILLISECONDS_FROM);
  }

  /**
   * True when a queue must receive it: a command or a reply that no queue takes is not delivered.
   * An event is for its subscribers, of which there may be none.
   */
  public boolean isAddressed() {
    return !exchange.equals(EVENTS);
  }

  /**
   * A fresh id: time-ordered, so that rows of one sender are claimed in the order they were
   * written.
   */
  public static UUID newId() {
    return TimeOrderedId.next();
  }
}
