package io.onceflow.benchmarks.cost;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/** Reads the data of processes that Linux provides under {@code /proc}; empty on other systems. */
final class ProcessTable {

  /** Linux always counts in hundredths of a second, independent of the kernel's timer frequency. */
  private static final double MILLIS_PER_TICK = 10;

  private static final long BYTES_PER_KIB = 1024;

  private final Path proc;

  /**
   * @param proc usually {@code /proc}
   */
  ProcessTable(Path proc) {
    this.proc = proc;
  }

  /**
   * The processor time that processes, their descendants and those of their children that have
   * ended took so far.
   *
   * @return in milliseconds; empty where none of them can be seen
   */
  OptionalDouble cpuMillis(List<Long> roots) {
    Map<Long, ProcessLine> all = read();
    List<ProcessLine> tree = tree(roots, all);
    return tree.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(tree.stream().mapToLong(ProcessLine::ticks).sum() * MILLIS_PER_TICK);
  }

  /**
   * The most memory that processes and their living descendants held so far: each one's peak
   * without what is shared, and what is shared once.
   *
   * @return in bytes; empty where none of them can be seen
   */
  OptionalLong peakMemory(List<Long> roots) {
    long own = 0;
    long shared = 0;
    for (ProcessLine process : tree(roots, read())) {
      Map<String, Long> status = status(process.pid());
      long sharedHere = status.getOrDefault("RssShmem", 0L);
      own += status.getOrDefault("VmHWM", sharedHere) - sharedHere;
      shared = Math.max(shared, sharedHere);
    }
    long bytes = (own + shared) * BYTES_PER_KIB;
    return bytes == 0 ? OptionalLong.empty() : OptionalLong.of(bytes);
  }

  private static List<ProcessLine> tree(List<Long> roots, Map<Long, ProcessLine> all) {
    Map<Long, List<Long>> children = new HashMap<>();
    all.values()
        .forEach(
            it -> children.computeIfAbsent(it.parent(), parent -> new ArrayList<>()).add(it.pid()));
    List<ProcessLine> tree = new ArrayList<>();
    Set<Long> seen = new HashSet<>();
    Deque<Long> next = new ArrayDeque<>(roots);
    while (!next.isEmpty()) {
      Long pid = next.pop();
      ProcessLine process = all.get(pid);
      if (process != null && seen.add(pid)) {
        tree.add(process);
        next.addAll(children.getOrDefault(pid, List.of()));
      }
    }
    return tree;
  }

  private Map<Long, ProcessLine> read() {
    Map<Long, ProcessLine> all = new HashMap<>();
    if (!Files.isDirectory(proc)) {
      return all;
    }
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(proc, "[0-9]*")) {
      for (Path folder : folders) {
        read(folder.resolve("stat"), all);
      }
      return all;
    } catch (IOException e) {
      return Map.of();
    }
  }

  private static void read(Path stat, Map<Long, ProcessLine> all) {
    try {
      ProcessLine line = ProcessLine.parse(Files.readString(stat));
      all.put(line.pid(), line);
    } catch (IOException e) {
      // It has ended since the folder was listed; its parent has its time.
    }
  }

  private Map<String, Long> status(long pid) {
    Map<String, Long> values = new HashMap<>();
    try {
      for (String line : Files.readAllLines(proc.resolve(Long.toString(pid)).resolve("status"))) {
        if (line.endsWith(" kB")) {
          int colon = line.indexOf(':');
          String digits = line.substring(colon + 1, line.length() - " kB".length()).strip();
          values.put(line.substring(0, colon), Long.valueOf(digits));
        }
      }
      return values;
    } catch (IOException e) {
      return Map.of();
    }
  }
}
