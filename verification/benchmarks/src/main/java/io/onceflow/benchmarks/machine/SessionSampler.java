package io.onceflow.benchmarks.machine;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Looks at the application's sessions while a run continues. What happens between two looks is not
 * seen, so that short waits show in the mean of many looks and not in each of them.
 */
public final class SessionSampler {

  /** A look takes PostgreSQL about a millisecond; more of them would be part of the load. */
  private static final Duration PAUSE = Duration.ofMillis(50);

  private static final String LOOK =
      """
      SELECT count(*) FILTER (WHERE state <> 'idle')          AS busy,
             count(*) FILTER (WHERE wait_event_type = 'Lock') AS waiting
      FROM   pg_stat_activity
      WHERE  application_name = ?
      """;

  private final List<Integer> busy = new ArrayList<>();
  private final List<Integer> waiting = new ArrayList<>();
  private final CompletableFuture<Observed> observed = new CompletableFuture<>();
  private volatile boolean isOver;

  private SessionSampler() {}

  /** Starts sampling, over a separate connection. */
  public static SessionSampler start(BenchBackends backends) {
    SessionSampler watch = new SessionSampler();
    Thread.ofPlatform().daemon().name("database-watch").start(() -> watch.run(backends));
    return watch;
  }

  /** Stops sampling and returns the samples. */
  public Observed stop() {
    isOver = true;
    return observed.join();
  }

  private void run(BenchBackends backends) {
    try (Connection connection = backends.connect();
        PreparedStatement look = connection.prepareStatement(LOOK)) {
      look.setString(1, Application.SESSIONS);
      while (!isOver) {
        look(look);
        Thread.sleep(PAUSE);
      }
      observed.complete(new Observed(Observed.Series.of(busy), Observed.Series.of(waiting)));
    } catch (SQLException | InterruptedException e) {
      observed.completeExceptionally(e);
    }
  }

  private void look(PreparedStatement look) throws SQLException {
    try (ResultSet row = look.executeQuery()) {
      row.next();
      busy.add(row.getInt("busy"));
      waiting.add(row.getInt("waiting"));
    }
  }
}
