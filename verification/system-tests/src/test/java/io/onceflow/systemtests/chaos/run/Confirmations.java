package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.chaos.world.World;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sees when orders are confirmed, by looking at their rows again and again. The times in the rows
 * would not do: the database's clock may be set.
 */
final class Confirmations {

  private static final long LOOK_EVERY_MS = 200;

  /**
   * To an order that is under way when the database's clock is set an hour ahead, the hour has
   * passed: it may be cancelled for that. Otherwise orders time out later than any limit here.
   */
  private static final String CONFIRMED =
      """
      SELECT id
      FROM   orders
      WHERE  id = ANY (?::uuid[])
      AND    (status = 'CONFIRMED' OR status = 'CANCELLED' AND cancellation_reason = 'TIMED_OUT')
      """;

  private final Tables tables;
  private final Map<String, Long> accepted = new ConcurrentHashMap<>();
  private final Map<String, Duration> took = new ConcurrentHashMap<>();
  private final Thread looking = Thread.ofVirtual().unstarted(this::look);
  private volatile boolean stopped;

  Confirmations(Tables tables) {
    this.tables = tables;
    looking.start();
  }

  /** An order was answered with 201. */
  void accepted(String orderId) {
    accepted.put(orderId, System.nanoTime());
  }

  private void look() {
    while (!stopped) {
      String orders = "{%s}".formatted(String.join(",", accepted.keySet()));
      try {
        tables.rows("orders", CONFIRMED, row -> row.getString(1), orders).forEach(this::confirmed);
      } catch (IllegalStateException e) {
        // The database may be away; the next look sees it.
      }
      Pauses.of(LOOK_EVERY_MS);
    }
  }

  private void confirmed(String orderId) {
    Long since = accepted.remove(orderId);
    if (since != null) {
      took.put(orderId, Duration.ofNanos(System.nanoTime() - since));
    }
  }

  /**
   * How long these orders took from their 201 until they were confirmed.
   *
   * @param atMost how long those that are not confirmed yet are waited for
   */
  World.TimeTaken took(Collection<String> orderIds, Duration atMost) {
    long giveUpAt = System.nanoTime() + atMost.toNanos();
    while (!took.keySet().containsAll(orderIds) && System.nanoTime() - giveUpAt < 0) {
      Pauses.of(LOOK_EVERY_MS);
    }
    return World.TimeTaken.of(
        orderIds.stream().map(took::get).filter(Objects::nonNull).toList(), orderIds.size());
  }

  void stop() throws InterruptedException {
    stopped = true;
    looking.join();
  }
}
