package io.onceflow.test.races;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The kit's own outside world. It does everything once for a key, as a good one does, unless it is
 * one that knows no keys.
 */
final class Bank implements Ledger {

  private final Map<UUID, List<Entry>> entries = new ConcurrentHashMap<>();
  private final boolean knowsKeys;

  Bank(boolean knowsKeys) {
    this.knowsKeys = knowsKeys;
  }

  synchronized void enter(UUID subject, String key, String kind) {
    Entry entry = new Entry(key, kind);
    List<Entry> its = entries.computeIfAbsent(subject, s -> new CopyOnWriteArrayList<>());
    if (!knowsKeys || !its.contains(entry)) {
      its.add(entry);
    }
  }

  /** Whether it has this of somebody; nothing is entered under this key any more if not. */
  synchronized boolean has(UUID subject, String kind) {
    return of(subject).stream().anyMatch(entry -> entry.kind().equals(kind));
  }

  @Override
  public List<Entry> of(UUID subject) {
    return List.copyOf(entries.getOrDefault(subject, List.of()));
  }
}
