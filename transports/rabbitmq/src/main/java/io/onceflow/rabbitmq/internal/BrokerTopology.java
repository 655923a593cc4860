package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.rabbitmq.internal.management.QueueWarnings;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges and queues at the broker. An administrator makes them; a service looks whether they are
 * there, for which it needs no permission, and is not ready while one is missing. In development
 * the service makes them itself.
 */
public final class BrokerTopology {

  private static final Logger LOG = Logger.getLogger(BrokerTopology.class);

  /** For tests and development. */
  static final BrokerTopology DECLARED =
      new BrokerTopology(
          true, List.of(OutboxMessage.COMMANDS, OutboxMessage.REPLIES, OutboxMessage.EVENTS));

  private final boolean declares;
  private final List<String> exchanges;

  /** What is missing, by who looked for it. */
  private final Map<String, String> missing = new ConcurrentSkipListMap<>();

  private final QueueWarnings warnings = new QueueWarnings(System::nanoTime);

  BrokerTopology(boolean declares, List<String> exchanges) {
    this.declares = declares;
    this.exchanges = exchanges;
  }

  static BrokerTopology of(BrokerConfig config) {
    return config.declare()
        ? new BrokerTopology(true, DECLARED.exchanges)
        : new BrokerTopology(
            false,
            new TreeMap<>(config.sends()).keySet().stream().map("onceflow."::concat).toList());
  }

  /** Whether this service makes what is missing. */
  public boolean declares() {
    return declares;
  }

  /** What is otherwise at the broker than messages need, and keeps nothing from working. */
  QueueWarnings warnings() {
    return warnings;
  }

  /** Looks at the broker for something, on a channel that is closed when it is missing. */
  @FunctionalInterface
  public interface Look {
    void at(Channel channel) throws IOException;
  }

  /** Makes the exchanges that this service sends to, or looks whether they are there. */
  void ensureExchanges(Channel channel) throws IOException {
    ensure(
        channel,
        "exchanges",
        it -> {
          for (String exchange : exchanges) {
            if (declares) {
              it.exchangeDeclare(exchange, BuiltinExchangeType.TOPIC, true);
            } else {
              it.exchangeDeclarePassive(exchange);
            }
          }
        });
  }

  /**
   * Makes something or looks whether it is there, and notes it if it is not.
   *
   * @param what is looked for, a name for the note
   * @throws IOException when it is missing or cannot be made, or the broker becomes unavailable
   */
  public void ensure(Channel channel, String what, Look look) throws IOException {
    try {
      look.at(channel);
      missing.remove(what);
    } catch (IOException e) {
      String reason = reason(e);
      if (reason != null) {
        note(what, reason);
      }
      throw e;
    } catch (AlreadyClosedException e) {
      throw new IOException("the broker's connection closed just now", e);
    }
  }

  /** Once, however often it is looked for. */
  private void note(String what, String reason) {
    String sentence =
        declares
            ? "the broker did not let this service declare its %s: %s".formatted(what, reason)
            : "the broker lacks what an administrator has to create (docs/operations/security.md, \"Users of the broker\"): "
                + reason;
    if (!sentence.equals(missing.put(what, sentence))) {
      LOG.errorf("%s; retrying until that is corrected", sentence);
    }
  }

  /** What is missing, in a sentence; empty when all that was looked for was there. */
  Optional<String> missing() {
    return missing.values().stream().findFirst();
  }

  /** What the broker says when it closes a channel, or null when that was not it. */
  private static @Nullable String reason(IOException e) {
    return e.getCause() instanceof ShutdownSignalException closed
            && !closed.isHardError()
            && closed.getReason() instanceof com.rabbitmq.client.AMQP.Channel.Close close
        ? close.getReplyText()
        : null;
  }
}
