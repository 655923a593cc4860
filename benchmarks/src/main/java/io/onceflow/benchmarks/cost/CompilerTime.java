package io.onceflow.benchmarks.cost;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The processor time of the just-in-time compilers in JVMs, read from {@code
 * /proc/PID/task/TID/stat}. A JVM ends compiler threads that are idle; what they took is kept.
 */
public final class CompilerTime {

  /** Linux keeps the first fifteen letters of a thread's name. */
  private static final String THREADS = "C[12] CompilerThre.*";

  private static final double MILLIS_PER_TICK = 10;

  private final Path proc;
  private final Collection<Long> processes;
  private final Map<Path, Long> ticks = new HashMap<>();

  /**
   * @param processes the JVMs; others have no such threads and add nothing
   */
  public CompilerTime(Collection<Long> processes) {
    this(Path.of("/proc"), processes);
  }

  CompilerTime(Path proc, Collection<Long> processes) {
    this.proc = proc;
    this.processes = processes;
  }

  /**
   * The time that compilers were seen to have taken so far.
   *
   * @return in milliseconds; empty where no process has had such a thread
   */
  public OptionalDouble millis() {
    processes.forEach(pid -> read(proc.resolve(Long.toString(pid)).resolve("task")));
    return ticks.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(ticks.values().stream().mapToLong(it -> it).sum() * MILLIS_PER_TICK);
  }

  private void read(Path tasks) {
    if (!Files.isDirectory(tasks)) {
      return;
    }
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
      threads.forEach(this::readThread);
    } catch (IOException e) {
      // The process has ended since; what it took until it was last seen counts.
    }
  }

  private void readThread(Path thread) {
    try {
      String stat = Files.readString(thread.resolve("stat"));
      String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
      if (name.matches(THREADS)) {
        ticks.put(thread, ProcessLine.parse(stat).ticks());
      }
    } catch (IOException e) {
      // The thread has ended since the folder was listed.
    }
  }
}
