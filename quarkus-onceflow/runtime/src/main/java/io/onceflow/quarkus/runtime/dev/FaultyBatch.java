package io.onceflow.quarkus.runtime.dev;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jboss.logging.Logger;

/**
 * The outcome of a batch of messages by the faults that are asked for.
 *
 * @param sent what is sent of it, in its order
 * @param lost what is not sent, and said to have been
 */
record FaultyBatch<T>(List<T> sent, Set<UUID> lost) {

  private static final Logger LOG = Logger.getLogger(FaultyBatch.class);
  private static final Duration DELAY = Duration.ofSeconds(3);

  /** Returns after the delays that are asked for. */
  static <T> FaultyBatch<T> of(
      List<T> batch, MessageFaults faults, Predicate<T> isAddressed, Function<T, UUID> id) {
    FaultyBatch<T> result = new FaultyBatch<>(new ArrayList<>(), new HashSet<>());
    for (T message : batch) {
      if (isAddressed.test(message)) {
        result.add(message, faults, id);
      } else {
        result.sent.add(message);
      }
    }
    return result;
  }

  private void add(T message, MessageFaults faults, Function<T, UUID> id) {
    MessageFaults.Fault fault = faults.next().orElse(null);
    if (fault != null) {
      LOG.infof("%s %s, as requested in the Dev UI", fault, id.apply(message));
    }
    switch (fault) {
      case LOSE -> lost.add(id.apply(message));
      case REPEAT -> sent.addAll(List.of(message, message));
      case DELAY -> {
        pause();
        sent.add(message);
      }
      case null -> sent.add(message);
    }
  }

  private static void pause() {
    try {
      Thread.sleep(DELAY);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
