package io.onceflow.benchmarks.cost;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * What the threads of JVMs have done, read from {@code /proc/PID/task/TID}: the processor time of
 * the just-in-time compilers, and how often the other threads were woken. A JVM ends threads that
 * are idle; what they had done when they were last seen is kept.
 */
final class JvmThreads {

  /** Linux keeps the first fifteen letters of a thread's name. */
  private static final String COMPILERS = "C[12] CompilerThre.*";

  /** They wake up for the heap and for clocks, and not for a message. */
  private static final String OTHERS_OF_THE_JVM = "(GC Thread|G1 |VM ).*";

  private static final String WAITS = "voluntary_ctxt_switches:";
  private static final double MILLIS_PER_TICK = 10;

  private final Path proc;
  private final Map<String, List<Long>> processes;
  private final Map<Path, Long> compilerTicks = new HashMap<>();
  private final Map<String, Map<Path, Long>> waits = new TreeMap<>();

  /**
   * @param proc usually {@code /proc}
   * @param processes by part; those that are no JVMs have no such threads and add nothing
   */
  JvmThreads(Path proc, Map<String, List<Long>> processes) {
    this.proc = proc;
    this.processes = processes;
  }

  /** Looks at all threads. */
  void read() {
    processes.forEach(
        (part, pids) ->
            pids.forEach(pid -> read(part, proc.resolve(Long.toString(pid)).resolve("task"))));
  }

  /**
   * The time that compilers were seen to have taken so far.
   *
   * @return in milliseconds; empty where no process has had such a thread
   */
  OptionalDouble compilerMillis() {
    return compilerTicks.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(sum(compilerTicks) * MILLIS_PER_TICK);
  }

  /**
   * How often threads were seen to have waited, and so to have been woken, so far.
   *
   * @return by part, of JVMs alone
   */
  Map<String, Double> wakeUps() {
    Map<String, Double> all = new HashMap<>();
    waits.forEach((part, threads) -> all.put(part, (double) sum(threads)));
    return all;
  }

  private static long sum(Map<Path, Long> threads) {
    return threads.values().stream().mapToLong(it -> it).sum();
  }

  private void read(String part, Path tasks) {
    if (!Files.isDirectory(tasks)) {
      return;
    }
    Map<Path, Long> waitsOfOthers = new HashMap<>();
    boolean isJvm = false;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
      for (Path thread : threads) {
        isJvm |= read(thread, waitsOfOthers);
      }
    } catch (IOException e) {
      // The process has ended since; what it did until it was last seen counts.
    }
    if (isJvm) {
      waits.computeIfAbsent(part, ignored -> new HashMap<>()).putAll(waitsOfOthers);
    }
  }

  /** Whether the thread is a compiler. */
  private boolean read(Path thread, Map<Path, Long> waitsOfOthers) {
    try {
      String stat = Files.readString(thread.resolve("stat"));
      String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
      if (name.matches(COMPILERS)) {
        compilerTicks.put(thread, ProcessLine.parse(stat).ticks());
        return true;
      }
      if (!name.matches(OTHERS_OF_THE_JVM)) {
        waitsOfOthers.put(thread, waits(thread));
      }
    } catch (IOException e) {
      // The thread has ended since the folder was listed.
    }
    return false;
  }

  private static long waits(Path thread) throws IOException {
    return Files.readAllLines(thread.resolve("status")).stream()
        .filter(line -> line.startsWith(WAITS))
        .mapToLong(line -> Long.parseLong(line.substring(WAITS.length()).strip()))
        .sum();
  }
}
