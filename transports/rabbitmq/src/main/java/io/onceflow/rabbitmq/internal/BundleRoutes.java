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
 * Where bundles are taken: a queue whose consumers read them is bound for them, which the broker
 * says by taking a bundle or returning it. What it said is believed for a minute; then one bundle
 * asks again.
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
   * By the routing key of bundles.
   *
   * @param routingKey with its first word
   */
  record Route(String exchange, String routingKey) {

    static Route of(OutgoingMessage bundle) {
      return new Route(bundle.exchange(), bundle.amqpKey());
    }
  }

  private record Answer(boolean isTaken, long at) {}

  /**
   * @param ticker as {@link System#nanoTime()}
   */
  BundleRoutes(LongSupplier ticker) {
    this.ticker = ticker;
  }

  /** Whether bundles are taken there; empty where the broker has to be asked. */
  Optional<Boolean> isTaken(Route route) {
    return Optional.ofNullable(answers.get(route))
        .filter(answer -> ticker.getAsLong() - answer.at() < BELIEVED_FOR.toNanos())
        .map(Answer::isTaken);
  }

  /** What the broker did with a bundle. */
  void answered(Route route, boolean isTaken) {
    if (answers.size() >= MOST_ROUTES) {
      // All are asked about again, which costs a round trip each.
      answers.clear();
    }
    Answer before = answers.put(route, new Answer(isTaken, ticker.getAsLong()));
    if (before == null || before.isTaken() != isTaken) {
      LOG.debugf("bundles for %s %s", route, isTaken ? "are taken" : "are not taken");
    }
  }

  /**
   * The broker has returned a message. Where it returns single ones, too, there is no queue, or not
   * yet: that says nothing of bundles.
   */
  void returned(String exchange, String routingKey, boolean isBundle) {
    if (isBundle) {
      answered(new Route(exchange, routingKey), false);
    } else {
      answers.remove(new Route(exchange, MessageBundle.KEY_PREFIX + routingKey));
    }
  }
}
