package io.onceflow.benchmarks.saga.load;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * One saga at a time: from sending its request until its order is seen as confirmed by another
 * connection to the database. So the last commit is counted in, and up to one pause between looks.
 */
public final class OneAlone {

  private static final Duration PAUSE = Duration.ofNanos(200_000);
  private static final Duration AT_MOST = Duration.ofSeconds(30);

  private final OrderClients clients;
  private final Connection orders;
  private final Keys keys = new Keys();
  private final Histogram untilAnswered = Times.histogram();
  private final Histogram untilConfirmed = Times.histogram();
  private final Map<UUID, Long> startedMicros = new HashMap<>();

  /**
   * One at a time.
   *
   * @param orders a connection to the order service's database that no other code uses
   */
  public OneAlone(OrderClients clients, Connection orders) {
    this.clients = clients;
    this.orders = orders;
  }

  /**
   * What the sagas took.
   *
   * @param untilAnswered in microseconds
   * @param untilConfirmed in microseconds
   * @param startedMicros when each order's request was sent, in microseconds since the epoch
   */
  public record Took(
      Histogram untilAnswered, Histogram untilConfirmed, Map<UUID, Long> startedMicros) {}

  /**
   * Runs so many, one after the other.
   *
   * @throws IllegalStateException if one is refused or does not end
   */
  public Took run(int times) throws SQLException, InterruptedException {
    for (int i = 0; i < times; i++) {
      run(keys.next());
    }
    return new Took(untilAnswered, untilConfirmed, Map.copyOf(startedMicros));
  }

  /**
   * Runs one, and returns when it is confirmed.
   *
   * @param key for {@code Idempotency-Key}, without quotes
   * @throws IllegalStateException if it is refused or does not end
   */
  public void run(String key) throws SQLException, InterruptedException {
    try (PreparedStatement look =
        orders.prepareStatement("SELECT status = 'CONFIRMED' FROM orders WHERE id = ?")) {
      one(key, look);
    }
  }

  private void one(String key, PreparedStatement look) throws SQLException, InterruptedException {
    long micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    long startedAt = System.nanoTime();
    UUID order = place(key);
    startedMicros.put(order, micros);
    Times.record(untilAnswered, System.nanoTime() - startedAt);
    look.setObject(1, order);
    while (!isConfirmed(look)) {
      if (System.nanoTime() - startedAt > AT_MOST.toNanos()) {
        throw new IllegalStateException("Order %s does not get confirmed".formatted(order));
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    Times.record(untilConfirmed, System.nanoTime() - startedAt);
  }

  private UUID place(String key) throws InterruptedException {
    try {
      Placed placed =
          clients
              .post(0, key)
              .toCompletionStage()
              .toCompletableFuture()
              .get(AT_MOST.toSeconds(), TimeUnit.SECONDS);
      if (!placed.isNew()) {
        throw new IllegalStateException("The order was refused: " + placed);
      }
      return UUID.fromString(placed.order());
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("The order service does not answer; see its log", e);
    }
  }

  private static boolean isConfirmed(PreparedStatement look) throws SQLException {
    try (ResultSet row = look.executeQuery()) {
      return row.next() && row.getBoolean(1);
    }
  }
}
