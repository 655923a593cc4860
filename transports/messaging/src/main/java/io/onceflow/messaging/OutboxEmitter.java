package io.onceflow.messaging;

import io.smallrye.reactive.messaging.EmitterType;
import org.eclipse.microprofile.reactive.messaging.Message;

/**
 * Sends to a channel what the caller's transaction has decided: the message is recorded in the
 * outbox, and a relay sends it by the channel's connector once that transaction has committed.
 *
 * <pre>{@code
 * @Inject @Channel("points-awarded") OutboxEmitter<PointsAwarded> awarded;
 * }</pre>
 *
 * <p>A row is deleted when the connector has acknowledged its message, and resent until then, under
 * the same message-id: what comes twice takes effect once where it is received by a method
 * annotated with {@link Once}.
 *
 * @param <T> {@code String}, which is sent as it is, or what the application's {@code ObjectMapper}
 *     writes as JSON
 */
public interface OutboxEmitter<T> extends EmitterType {

  /**
   * Records a message in the caller's JTA transaction.
   *
   * @throws IllegalStateException when no transaction is open
   * @throws IllegalArgumentException when the payload cannot be written as JSON
   */
  void send(T payload);

  /**
   * As {@link #send(Object)}, under a key: messages of one key are sent in the order in which they
   * were recorded, each after the one before it was acknowledged. Also the key of the Kafka record.
   *
   * @param key what the message is about, such as an order's id
   */
  void send(T payload, String key);

  /**
   * As {@link #send(Object)}, with a key, headers, a type or a message-id of its own: those of the
   * {@link MessageAttributes} in the message's metadata. Nothing else of a message outlives the
   * process.
   *
   * @throws IllegalArgumentException when it has other metadata, a position, or is to be
   *     acknowledged; the sentence says what
   */
  void send(Message<? extends T> message);
}
