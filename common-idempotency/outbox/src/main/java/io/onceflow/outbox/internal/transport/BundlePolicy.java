package io.onceflow.outbox.internal.transport;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.OutboxConfig;

/**
 * Which messages may be bundled: those that a queue must receive. Whether its consumers read them,
 * the transport finds out.
 *
 * @param largest how many to a bundle at most; 1 bundles nothing
 */
public record BundlePolicy(int largest) {

  /** Bytes of an AMQP routing key at most. */
  private static final int LONGEST_KEY = 255;

  private static final int LONGEST_OWN_KEY = LONGEST_KEY - MessageBundle.KEY_PREFIX.length();

  public static BundlePolicy by(OutboxConfig.Relay config) {
    return new BundlePolicy(Math.min(config.largestBundle(), MessageBundle.MOST_MESSAGES));
  }

  static boolean mayBeBundled(OutboxMessage message) {
    return message.isAddressed() && fits(message.routingKey());
  }

  /** Within a bundle's routing key; most keys are short in whatever letters. */
  private static boolean fits(String routingKey) {
    return routingKey.length() * 3 <= LONGEST_OWN_KEY
        || routingKey.getBytes(UTF_8).length <= LONGEST_OWN_KEY;
  }
}
