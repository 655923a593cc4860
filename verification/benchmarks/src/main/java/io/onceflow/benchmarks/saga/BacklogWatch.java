package io.onceflow.benchmarks.saga;

import io.onceflow.benchmarks.saga.stack.BenchServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Looks twice a second how much waits in the order service's database, from outside. */
final class BacklogWatch implements AutoCloseable {

  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  private static final String COUNT =
      """
      SELECT (SELECT count(*) FROM outbox_message),
             (SELECT count(*) FROM saga_instance WHERE next_action_at IS NOT NULL)
      """;

  private final Connection orders;
  private final List<Look> looks = new CopyOnWriteArrayList<>();
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private long startNanos;

  /**
   * What was seen.
   *
   * @param second since the start
   * @param outbox messages that wait to be sent
   * @param sagas that have not ended
   */
  record Look(double second, long outbox, long sagas) {}

  private BacklogWatch(Connection orders) {
    this.orders = orders;
  }

  static BacklogWatch of(BenchServers servers) throws SQLException {
    return new BacklogWatch(servers.connect("orders"));
  }

  void start() {
    startNanos = System.nanoTime();
    thread.scheduleAtFixedRate(this::look, 0, LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
  }

  List<Look> looks() {
    return List.copyOf(looks);
  }

  private void look() {
    double second = (System.nanoTime() - startNanos) / 1e9;
    try (Statement statement = orders.createStatement();
        ResultSet row = statement.executeQuery(COUNT)) {
      row.next();
      looks.add(new Look(second, row.getLong(1), row.getLong(2)));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws SQLException {
    thread.shutdownNow();
    orders.close();
  }
}
