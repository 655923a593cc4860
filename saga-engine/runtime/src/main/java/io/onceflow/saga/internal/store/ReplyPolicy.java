package io.onceflow.saga.internal.store;

import io.onceflow.saga.internal.OutgoingCommand.Kind;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whose reply is believed: the participant that was asked publishes its replies under the routing
 * key {@code <reply-to>.<participant>}, which the broker's topic permissions keep others from.
 *
 * @param replyTo the routing key that commands ask replies to be sent to, such as {@code
 *     order-service}
 * @param participants which participant gets the commands whose routing key begins with a word;
 *     without an entry it is that word followed by {@code -service}, as in {@code payment.process}
 *     and {@code payment-service}
 */
public record ReplyPolicy(String replyTo, Map<String, String> participants) {

  public ReplyPolicy {
    participants = Map.copyOf(participants);
  }

  /** The participant that a command goes to. */
  public String participant(Kind command) {
    return participantOf(command.routingKey());
  }

  /** The participant that gets the commands of a routing key. */
  public String participantOf(String routingKey) {
    String word = wordOf(routingKey);
    return participants.getOrDefault(word, word + "-service");
  }

  /** The property that says who gets a command. */
  static String settingOf(Kind command) {
    return "onceflow.saga.replies.participants." + wordOf(command.routingKey());
  }

  private static String wordOf(String routingKey) {
    return routingKey.split("\\.", 2)[0];
  }

  /** Whether a reply under this routing key may answer the command. */
  boolean isBelieved(@Nullable String routingKey, Kind command) {
    return (replyTo + "." + participant(command)).equals(routingKey);
  }
}
