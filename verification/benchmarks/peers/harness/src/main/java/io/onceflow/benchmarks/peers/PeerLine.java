package io.onceflow.benchmarks.peers;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A line by which a peer's process tells the benchmark something, among whatever its libraries
 * print: {@code peer-run elapsed=2000 sagas=17}.
 */
public record PeerLine(String name, Map<String, Long> values) {

  /** The process is ready to run sagas. */
  public static final PeerLine READY = new PeerLine("peer-ready", Map.of());

  /** Copies the values. */
  public PeerLine {
    values = new TreeMap<>(values);
  }

  /** Reads one; empty if the line is something else. */
  public static Optional<PeerLine> parse(String text) {
    String[] words = text.strip().split(" +");
    if (!words[0].startsWith("peer-")) {
      return Optional.empty();
    }
    Map<String, Long> values = new LinkedHashMap<>();
    for (int i = 1; i < words.length; i++) {
      int equals = words[i].indexOf('=');
      if (equals < 1 || !words[i].substring(equals + 1).matches("-?\\d{1,18}")) {
        return Optional.empty();
      }
      values.put(words[i].substring(0, equals), Long.valueOf(words[i].substring(equals + 1)));
    }
    return Optional.of(new PeerLine(words[0], values));
  }

  long value(String key) {
    Long value = values.get(key);
    if (value == null) {
      throw new IllegalArgumentException("There is no %s in %s".formatted(key, this));
    }
    return value;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(name);
    values.forEach((key, value) -> text.append(' ').append(key).append('=').append(value));
    return text.toString();
  }
}
