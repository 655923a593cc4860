package io.onceflow.systemtests.chaos.run;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What happened, and when. */
final class Timeline {

  private final PrintStream out;
  private final List<Entry> entries = new ArrayList<>();
  private Instant begin = Instant.now();

  /**
   * Something that happened.
   *
   * @param what a word, such as {@code KILL}
   * @param detail such as who was hit
   */
  record Entry(Instant from, Instant until, String what, String detail) {}

  Timeline(PrintStream out) {
    this.out = out;
  }

  /** Counts time from now on. */
  synchronized void begin() {
    begin = Instant.now();
  }

  synchronized Instant beginning() {
    return begin;
  }

  synchronized void add(Instant from, String what, String detail) {
    Entry entry = new Entry(from, Instant.now(), what, detail);
    entries.add(entry);
    out.println(line(entry));
  }

  /** All, in the order in which they began. */
  synchronized List<Entry> entries() {
    return entries.stream().sorted(Comparator.comparing(Entry::from)).toList();
  }

  /** An entry as text: when it began, for how long, what. */
  String line(Entry entry) {
    return "%7.1f s  %5.1f s  %-10s %s"
        .formatted(
            seconds(Duration.between(beginning(), entry.from())),
            seconds(Duration.between(entry.from(), entry.until())),
            entry.what(),
            entry.detail());
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }
}
