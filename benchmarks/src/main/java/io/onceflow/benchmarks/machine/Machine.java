package io.onceflow.benchmarks.machine;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Names the machine and the servers. */
public final class Machine {

  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private static final long BYTES_IN_GIB = 1L << 30;

  /** The more commits, the steadier their median. */
  private static final int COMMITS = 200;

  private Machine() {}

  /** Processes that ran or wanted to, on average over the last minute; negative if unknown. */
  public static double load() {
    return SYSTEM.getSystemLoadAverage();
  }

  /** Whether that leaves room for a benchmark. */
  public static boolean isBusy() {
    return load() > SYSTEM.getAvailableProcessors() * 0.5;
  }

  /** What a reader needs to compare figures with those of another machine, by name. */
  public static Map<String, String> describe(Backends backends) throws IOException, SQLException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("processor", "%s, %d cores".formatted(cpu(), SYSTEM.getAvailableProcessors()));
    facts.put("memory", SYSTEM.getTotalMemorySize() / BYTES_IN_GIB + " GiB");
    facts.put("system", "%s, kernel %s".formatted(distribution(), SYSTEM.getVersion()));
    facts.put("Java", System.getProperty("java.vm.name") + " " + Runtime.version());
    facts.put("servers", backends.description());
    try (Connection connection = backends.connect();
        Statement statement = connection.createStatement()) {
      facts.put("PostgreSQL", postgres(statement));
      facts.put("one bare commit", "%.2f ms (median)".formatted(commitMs(statement)));
    }
    facts.put(
        "Redis", RedisServer.info(backends.redisPort(), "redis_version") + ", no persistence");
    return facts;
  }

  private static String postgres(Statement statement) throws SQLException {
    return "%s, fsync %s, synchronous_commit %s, shared_buffers %s"
        .formatted(
            setting(statement, "server_version"),
            setting(statement, "fsync"),
            setting(statement, "synchronous_commit"),
            setting(statement, "shared_buffers"));
  }

  private static String setting(Statement statement, String name) throws SQLException {
    try (ResultSet row = statement.executeQuery("SHOW " + name)) {
      row.next();
      return row.getString(1);
    }
  }

  /** What every figure below has as its floor: one row, one commit, one client, no HTTP. */
  private static double commitMs(Statement statement) throws SQLException {
    statement.execute("CREATE TABLE bare_commit (id int)");
    double[] times = new double[COMMITS];
    for (int i = 0; i < COMMITS; i++) {
      long before = System.nanoTime();
      statement.execute("INSERT INTO bare_commit VALUES (1)");
      times[i] = (System.nanoTime() - before) / 1e6;
    }
    statement.execute("DROP TABLE bare_commit");
    Arrays.sort(times);
    return times[COMMITS / 2];
  }

  private static String cpu() throws IOException {
    return fact(Path.of("/proc/cpuinfo"), line -> line.startsWith("model name"), ":")
        .orElse(System.getProperty("os.arch"));
  }

  private static String distribution() throws IOException {
    return fact(Path.of("/etc/os-release"), line -> line.startsWith("PRETTY_NAME"), "=")
        .orElse(SYSTEM.getName());
  }

  private static Optional<String> fact(Path file, Predicate<String> isIt, String separator)
      throws IOException {
    if (!Files.isReadable(file)) {
      return Optional.empty();
    }
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(isIt)
          .map(line -> line.substring(line.indexOf(separator) + 1).replace("\"", "").strip())
          .findFirst();
    }
  }
}
