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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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
  public static Map<String, String> describe(BenchBackends backends)
      throws IOException, SQLException {
    Map<String, String> facts = hardware();
    facts.put("servers", backends.description());
    try (Connection connection = backends.connect()) {
      facts.putAll(database(connection));
    }
    facts.put(
        "Redis", RedisServer.info(backends.redisPort(), "redis_version") + ", no persistence");
    return facts;
  }

  /** The machine itself and its Java. */
  public static Map<String, String> hardware() throws IOException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("processor", "%s, %d cores".formatted(cpu(), processors()));
    facts.put("memory", SYSTEM.getTotalMemorySize() / BYTES_IN_GIB + " GiB");
    facts.put("system", "%s, kernel %s".formatted(distribution(), SYSTEM.getVersion()));
    facts.put("Java", System.getProperty("java.vm.name") + " " + Runtime.version());
    return facts;
  }

  /** How many processors there are. */
  public static int processors() {
    return SYSTEM.getAvailableProcessors();
  }

  /** The processor time that this JVM has used. */
  public static Duration cpuOfThisProcess() {
    return Duration.ofNanos(SYSTEM.getProcessCpuTime());
  }

  /**
   * Reads the database's settings and measures the duration of a commit.
   *
   * @param connection may make a table
   * @param more settings to report, in addition to the usual ones
   */
  public static Map<String, String> database(Connection connection, String... more)
      throws SQLException {
    Map<String, String> facts = new LinkedHashMap<>();
    try (Statement statement = connection.createStatement()) {
      facts.put("PostgreSQL", postgres(statement, more));
      facts.put(
          "one bare commit", String.format(Locale.ROOT, "%.2f ms (median)", commitMs(statement)));
    }
    return facts;
  }

  private static String postgres(Statement statement, String... more) throws SQLException {
    StringBuilder text = new StringBuilder(setting(statement, "server_version"));
    List<String> names = new ArrayList<>(List.of("fsync", "synchronous_commit", "shared_buffers"));
    names.addAll(List.of(more));
    for (String name : names) {
      text.append(", ").append(name).append(' ').append(setting(statement, name));
    }
    return text.toString();
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
