package io.onceflow.simulation.kernel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What happened in a run, line by line. Ids are given short names, which are the same each time.
 */
public final class RunTrace {

  private static final Pattern ID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  private final boolean on;
  private final List<String> lines = new ArrayList<>();
  private final Map<String, String> names = new HashMap<>();

  /**
   * @param on false when the trace is not needed
   */
  public RunTrace(boolean on) {
    this.on = on;
  }

  /** Names an id. */
  public void name(UUID id, String name) {
    names.put(id.toString(), name);
  }

  void tell(long nanos, String who, Supplier<String> what) {
    if (on) {
      lines.add(
          String.format(Locale.ROOT, "%14s  %-18s %s", time(nanos), who, withNames(what.get())));
    }
  }

  /** All lines. */
  public List<String> lines() {
    return List.copyOf(lines);
  }

  /** The text with short names for its ids. */
  public String withNames(String text) {
    return ID.matcher(text)
        .replaceAll(
            found -> Matcher.quoteReplacement(names.computeIfAbsent(found.group(), this::next)));
  }

  private String next(String id) {
    return "#" + (names.size() + 1);
  }

  private static String time(long nanos) {
    long millis = nanos / 1_000_000;
    return String.format(
        Locale.ROOT,
        "%d:%02d:%02d.%03d",
        millis / 3_600_000,
        millis / 60_000 % 60,
        millis / 1000 % 60,
        millis % 1000);
  }
}
