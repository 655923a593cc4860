package io.onceflow.benchmarks.cost;

import io.onceflow.benchmarks.sql.DatabaseServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Measures what sagas cost in a stretch of time. */
public final class CostMeter {

  private static final Path PROC = Path.of("/proc");
  private static final double NANOS_IN_SECOND = 1e9;

  private final @Nullable DatabaseMeter database;
  private final Map<String, List<Long>> pids;
  private final RelayedMessages messages;
  private final ProcessTable processes = new ProcessTable(PROC);
  private final JvmThreads threads;

  private CostMeter(
      @Nullable DatabaseMeter database, Map<String, List<Long>> pids, List<URI> metrics) {
    this.database = database;
    this.pids = Map.copyOf(pids);
    this.threads = new JvmThreads(PROC, this.pids);
    this.messages = new RelayedMessages(metrics);
  }

  /**
   * @param server the database server
   * @param pids the first processes of each part, by its name; their descendants count too
   * @param metrics the services' pages of meters, such as {@code …:9000/q/metrics}; may be empty
   */
  public CostMeter(DatabaseServer server, Map<String, List<Long>> pids, List<URI> metrics)
      throws SQLException {
    this(new DatabaseMeter(server), pids, metrics);
  }

  /** One of what processes use alone, where there is no database server. */
  public static CostMeter ofProcesses(Map<String, List<Long>> pids) {
    return new CostMeter((DatabaseMeter) null, pids, List.of());
  }

  /** Reads what processes have used, at once. */
  public Snapshot readTimes() {
    threads.read();
    return new Snapshot(
        System.nanoTime() / NANOS_IN_SECOND,
        cpuMillis(),
        threads.compilerMillis().orElse(Double.NaN),
        threads.wakeUps(),
        DatabaseCounts.NONE,
        OptionalDouble.empty());
  }

  private Map<String, Double> cpuMillis() {
    Map<String, Double> cpu = new HashMap<>();
    pids.forEach(
        (part, roots) -> processes.cpuMillis(roots).ifPresent(millis -> cpu.put(part, millis)));
    return cpu;
  }

  /**
   * Reads all counters before a stretch. Takes a second and a half, most of it after what must be
   * read at once.
   */
  public Snapshot start() throws SQLException, IOException, InterruptedException {
    if (database == null) {
      return readTimes();
    }
    // Services query for some of their meters, so they are asked outside of the stretch.
    OptionalDouble relayed = messages.count();
    database.keepLog();
    Snapshot times = readTimes();
    return times.with(database.read(), relayed);
  }

  /**
   * What a saga has cost since a snapshot. Takes a second and a half, and as long as it takes to
   * read what was logged meanwhile.
   *
   * @param before the last that {@link #start} made
   * @param sagas how many were completed, more than none
   */
  public SagaCost since(Snapshot before, long sagas)
      throws SQLException, IOException, InterruptedException {
    return since(before, readTimes(), sagas);
  }

  /**
   * What a second costs while no saga runs.
   *
   * @param length how long that is measured
   */
  public SagaCost idle(Duration length) throws SQLException, IOException, InterruptedException {
    Snapshot before = start();
    Thread.sleep(length);
    Snapshot times = readTimes();
    return since(before, times, times.seconds() - before.seconds());
  }

  private SagaCost since(Snapshot before, Snapshot times, double sagas)
      throws SQLException, IOException, InterruptedException {
    if (database == null) {
      return SagaCost.between(before, times, Map.of(), sagas);
    }
    DatabaseCounts counts = database.read();
    Map<WalCount, Double> logged = database.logged(before.database(), counts);
    return SagaCost.between(before, times.with(counts, messages.count()), logged, sagas);
  }

  /** The most memory that each part held so far, in bytes; without those that cannot be seen. */
  public Map<String, Long> peakMemory() {
    Map<String, Long> peaks = new HashMap<>();
    pids.forEach(
        (part, roots) -> {
          OptionalLong bytes = processes.peakMemory(roots);
          bytes.ifPresent(it -> peaks.put(part, it));
        });
    return peaks;
  }
}
