package io.onceflow.messaging;

import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;

/**
 * Lets each message of a channel take effect once, however often the broker delivers it. The inbox
 * row, the business write and the messages that the method sends commit together; the message is
 * acknowledged after that commit.
 *
 * <pre>{@code
 * @Incoming("orders")
 * @Once(step = "award-points")
 * void award(OrderPlaced order) { … }
 * }</pre>
 *
 * <p>The method takes one message or a {@link java.util.List} of them, as payloads or as {@link
 * org.eclipse.microprofile.reactive.messaging.Message}s. It runs in a JTA transaction, on a thread
 * that may block.
 */
@Documented
@Retention(RUNTIME)
@Target(METHOD)
public @interface Once {

  /** As {@link #key}: the key of the Kafka record. */
  String RECORD_KEY = "record-key";

  /** As {@link #key}: the AMQP message-id, or the record header {@code message-id}. */
  String MESSAGE_ID = "message-id";

  /**
   * As {@link #key}: topic, partition and offset of the Kafka record. A record that the producer
   * has written twice has two positions, and takes effect twice.
   */
  String POSITION = "topic-partition-offset";

  /** As the beginning of a {@link #key}: the value of the header whose name follows. */
  String HEADER = "header:";

  /**
   * The step that a message is recorded under: unique in the application, at most 64 letters,
   * digits and {@code . _ -}. Messages that were recorded under another step take effect again
   * under this one.
   */
  String step();

  /**
   * What tells one message from another: {@link #RECORD_KEY}, {@link #MESSAGE_ID}, {@link
   * #POSITION}, or {@link #HEADER} and a header's name. The property {@code
   * onceflow.once.steps."<step>".key} goes first.
   */
  String key() default "header:x-idempotency-key";
}
