package io.onceflow.rabbitmq.internal;

import io.onceflow.outbox.internal.transport.MessageBundle;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/**
 * Where packs are taken: a queue whose consumers unpack is bound for them, which the broker says by
 * taking a pack or returning it. What it said is believed for a minute; then one pack asks again.
 */
final class BundleRoutes {

  private static final Logger LOG = Logger.getLogger(BundleRoutes.class);

  /** After which a binding that was made meanwhile is noticed. */
  static final Duration BELIEVED_FOR = Duration.ofMinutes(1);

  /** Far above the commands of a service; routing keys of replies are not its own to choose. */
  static final int MOST_ROUTES = 1000;

  private final Map<Route, Answer> answers = new ConcurrentHashMap<>();
  private final LongSupplier ticker;

  /**
   * By the routing key of packs.
   *
   * @param routingKey with its first word
   */
  record Route(String exchange, String routingKey) {

    static Route of(OutgoingMessage pack) {
      return new Route(pack.exchange(), pack.amqpKey());
    }
  }

  private record Answer(boolean isTaken, long at) {}

  /**
   * @param ticker as {@link System#nanoTime()}
   */
  BundleRoutes(LongSupplier ticker) {
    this.ticker = ticker;
  }

  /** Whether packs are taken there; empty where the broker has to be asked. */
  Optional<Boolean> isTaken(Route route) {
    Answer answer = answers.get(route);
    return answer == null || ticker.getAsLong() - answer.at() >= BELIEVED_FOR.toNanos()
        ? Optional.empty()
        : Optional.of(answer.isTaken());
  }

  /** The broker has taken one. */
  void taken(Route route) {
    note(route, true);
  }

  /** The broker did not take one: its messages go each by itself. */
  void notTaken(Route route) {
    note(route, false);
  }

  /**
   * The broker has returned a message. Where it returns single ones, too, there is no queue, or not
   * yet: that says nothing of packs.
   */
  void returned(String exchange, String routingKey, boolean isPack) {
    if (isPack) {
      notTaken(new Route(exchange, routingKey));
    } else {
      answers.remove(new Route(exchange, MessageBundle.KEY_PREFIX + routingKey));
    }
  }

  private void note(Route route, boolean isTaken) {
    if (answers.size() >= MOST_ROUTES) {
      // All are asked about anew, which costs a round trip each.
      answers.clear();
    }
    Answer before = answers.put(route, new Answer(isTaken, ticker.getAsLong()));
    if (before == null || before.isTaken() != isTaken) {
      LOG.debugf("packs for %s %s", route, isTaken ? "are taken" : "are not taken");
    }
  }
}
