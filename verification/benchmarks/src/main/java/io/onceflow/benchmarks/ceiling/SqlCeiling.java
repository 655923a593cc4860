package io.onceflow.benchmarks.ceiling;

import io.onceflow.benchmarks.sql.DatabaseServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Measures the SQL ceiling. Its transactions are fewer than the services': what a step needs
 * several for (its intent, the simulated ledger, its result, the relay's delete) goes into one.
 */
public final class SqlCeiling {

  /** What the ceiling is the best of. */
  public static final List<Integer> CONNECTIONS = List.of(8, 16, 32);

  /** No longer than the measurements take in all. */
  private static final Duration LATER = Duration.ofHours(1);

  /** Sagas after which PostgreSQL plans a statement of a connection no more. */
  private static final int WARM = 10;

  private final RecordedSaga saga;
  private final Ids ids;
  private final DatabaseServer server;
  private final RowCheck check;

  private SqlCeiling(Recording recording, DatabaseServer server) throws SQLException {
    this.saga = TimeShift.shift(recording.saga(), LATER);
    this.ids = new Ids(saga);
    this.server = server;
    try (SagaReplay first = new SagaReplay(saga, ids, server)) {
      this.check = RowCheck.of(saga, recording.rows(), first.replay());
    }
  }

  /**
   * Replays the recorded saga with so many connections to each database, one after the other. The
   * services may idle meanwhile.
   *
   * @param each how long each number of connections is measured, after a fifth of it, or ten sagas
   *     each, unmeasured
   * @param connections such as {@link #CONNECTIONS}
   * @param progress gets each result
   * @throws RowsDiffer if a replayed statement has another effect than the recorded one
   */
  public static Ceiling measure(
      Recording recording,
      DatabaseServer server,
      Duration each,
      List<Integer> connections,
      Consumer<String> progress)
      throws SQLException, InterruptedException {
    SqlCeiling ceiling = new SqlCeiling(recording, server);
    Map<Integer, Double> rates = new LinkedHashMap<>();
    for (int count : connections) {
      double rate = ceiling.rate(count, each);
      progress.accept("SQL alone, %d connections: %,.0f sagas/s".formatted(count, rate));
      rates.put(count, rate);
    }
    RecordedSaga saga = recording.saga();
    return new Ceiling(rates, saga.statements(), saga.steps().size());
  }

  private double rate(int connections, Duration each) throws SQLException, InterruptedException {
    List<SagaReplay> clients = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(connections)) {
      for (int i = 0; i < connections; i++) {
        clients.add(new SagaReplay(saga, ids, server));
      }
      run(clients, each.dividedBy(5), WARM, threads);
      return run(clients, each, 0, threads);
    } finally {
      for (SagaReplay client : clients) {
        client.close();
      }
    }
  }

  private double run(
      List<SagaReplay> clients, Duration length, int atLeast, ExecutorService threads)
      throws SQLException, InterruptedException {
    long start = System.nanoTime();
    long end = start + length.toNanos();
    List<Future<Long>> counts = new ArrayList<>();
    for (SagaReplay client : clients) {
      counts.add(threads.submit(() -> replayUntil(end, atLeast, client)));
    }
    long sagas = 0;
    for (Future<Long> count : counts) {
      sagas += result(count);
    }
    double nanosPerSecond = 1e9;
    return sagas * nanosPerSecond / (System.nanoTime() - start);
  }

  private long replayUntil(long end, int atLeast, SagaReplay client) throws SQLException {
    long sagas = 0;
    while (System.nanoTime() - end < 0 || sagas < atLeast) {
      check.check(client.replay());
      sagas++;
    }
    return sagas;
  }

  private static long result(Future<Long> count) throws SQLException, InterruptedException {
    try {
      return count.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SQLException cause) {
        throw cause;
      }
      if (e.getCause() instanceof RowsDiffer cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    }
  }
}
