package io.onceflow.rabbitmq.internal.management;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * What policies and bindings of queues do to messages, as far as it is known: all of it where the
 * management API can be read, otherwise what dead letters show. The service is ready nevertheless:
 * sagas send again what was lost. Each change is one line in the log.
 */
public final class QueueWarnings {

  private static final Logger LOG = Logger.getLogger(QueueWarnings.class);

  /**
   * A policy that was corrected gives nothing up any more, which nothing tells; nor does a
   * management API that cannot be read any more.
   */
  public static final Duration SHOWN_FOR = Duration.ofMinutes(10);

  private static final Map<String, String> CAUSES =
      Map.of(
          "expired", "messages expire in it: a policy with message-ttl does that",
          "maxlen",
              "messages are dropped since it is full: a policy with max-length does that, or one without overflow=reject-publish",
          "delivery_limit",
              "messages are dead-lettered: a policy with delivery-limit other than -1 does that");

  private final LongSupplier nanoTime;
  private final Map<String, Review> reviewed = new ConcurrentSkipListMap<>();
  private final Map<String, Map<String, Long>> letters = new ConcurrentHashMap<>();

  private record Review(String problems, long at) {}

  /**
   * @param nanoTime as {@link System#nanoTime()}
   */
  public QueueWarnings(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** What is wrong with a queue now; nothing where it is empty. */
  public void reviewed(String queue, List<String> problems) {
    String now = String.join("; ", problems);
    @Nullable Review before =
        problems.isEmpty()
            ? reviewed.remove(queue)
            : reviewed.put(queue, new Review(now, nanoTime.getAsLong()));
    if (problems.isEmpty() && before != null) {
      LOG.infof("binding and policy of queue %s are correct again", queue);
    } else if (!now.equals(before == null ? "" : before.problems())) {
      LOG.warnf(
          "binding or policy of queue %s is wrong (deploy/rabbitmq/definitions.sh check): %s",
          queue, now);
    }
  }

  /**
   * The broker has given a message up.
   *
   * @param reason its own, such as {@code expired}
   */
  public void gaveUp(String queue, String reason) {
    @Nullable String cause = CAUSES.get(reason);
    if (cause == null) {
      return;
    }
    @Nullable Long before =
        letters
            .computeIfAbsent(queue, it -> new ConcurrentHashMap<>())
            .put(reason, nanoTime.getAsLong());
    if (before == null || !isShown(before)) {
      LOG.warnf("queue %s: %s (deploy/rabbitmq/definitions.sh check)", queue, cause);
    }
  }

  /** What is wrong with a queue, in a sentence; empty while nothing is known to be. */
  public Optional<String> of(String queue) {
    String all =
        Stream.concat(
                Stream.ofNullable(reviewed.get(queue))
                    .filter(review -> isShown(review.at()))
                    .map(Review::problems),
                letters.getOrDefault(queue, Map.of()).entrySet().stream()
                    .filter(letter -> isShown(letter.getValue()))
                    .map(letter -> CAUSES.get(letter.getKey()))
                    .sorted())
            .collect(Collectors.joining("; "));
    return all.isEmpty() ? Optional.empty() : Optional.of(all);
  }

  /** The same of all queues, by their names; empty while nothing is known. */
  public Optional<String> all() {
    String all =
        Stream.concat(reviewed.keySet().stream(), letters.keySet().stream())
            .distinct()
            .sorted()
            .flatMap(queue -> of(queue).map(why -> queue + ": " + why).stream())
            .collect(Collectors.joining("; "));
    return all.isEmpty() ? Optional.empty() : Optional.of(all);
  }

  private boolean isShown(long at) {
    return nanoTime.getAsLong() - at <= SHOWN_FOR.toNanos();
  }
}
