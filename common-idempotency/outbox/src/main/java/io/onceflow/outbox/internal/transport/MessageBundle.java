package io.onceflow.outbox.internal.transport;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.MessageHeaders;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Several messages for one exchange and routing key in one AMQP message. Its {@code type} is {@link
 * #TYPE}, its content-type {@link #CONTENT_TYPE}; consumers need not remember its message-id, since
 * each message in it keeps the id that it was recorded under. The bytes are described in
 * docs/messages.
 */
public final class MessageBundle {

  /** The AMQP property {@code type} of a bundle. */
  public static final String TYPE = "Pack";

  /** The AMQP property {@code content-type} of a bundle. */
  public static final String CONTENT_TYPE = "application/vnd.onceflow.pack";

  /**
   * Header that holds how many messages are in it, a decimal integer. For people; not relied on.
   */
  public static final String COUNT_HEADER = "x-pack-count";

  /** First word of a bundle's routing key; no queue of messages may be bound by it alone. */
  public static final String FIRST_WORD = "bundle";

  /** A bundle's routing key is this and the routing key of its messages. */
  public static final String KEY_PREFIX = FIRST_WORD + ".";

  /** First byte of every bundle: the version of what follows. */
  static final int VERSION = 1;

  /** More are not read: each takes some memory, however short it is. */
  static final int MOST_MESSAGES = 1024;

  private MessageBundle() {}

  /**
   * A message out of a bundle, with all that it would have had alone. Its content-type is {@code
   * application/json}.
   *
   * @param messageId the outbox row's id
   * @param type such as {@code ProcessPayment}
   * @param correlationId the saga's id, or null
   * @param replyTo routing key for the answer, or null
   * @param headers see {@link MessageHeaders}
   * @param payload byte for byte what was recorded; not copied
   */
  public record Bundled(
      String messageId,
      String type,
      @Nullable String correlationId,
      @Nullable String replyTo,
      Map<String, String> headers,
      byte[] payload) {}

  /** True for what has to be decoded before it can be handled. */
  public static boolean isBundle(@Nullable String contentType) {
    return CONTENT_TYPE.equals(contentType);
  }

  /** The routing key of the messages in a bundle that came under this one. */
  public static String ownKey(String routingKey) {
    return routingKey.startsWith(KEY_PREFIX)
        ? routingKey.substring(KEY_PREFIX.length())
        : routingKey;
  }

  /** Writes messages, in this order; there is at least one. */
  public static byte[] encode(List<OutboxMessage> messages) {
    return new BundleWriter().write(messages);
  }

  /**
   * Reads the messages of a bundle, in their order; never none. What it allocates is bounded by the
   * length of the body, whatever the body claims.
   *
   * @throws MalformedBundle when the body is anything but a whole bundle of a version that is known
   */
  public static List<Bundled> decode(byte[] body) {
    return new BundleReader(body).read();
  }
}
