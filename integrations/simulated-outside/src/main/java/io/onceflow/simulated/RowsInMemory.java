package io.onceflow.simulated;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.UUID;

/**
 * The rows of a ledger in memory, the last of them: for benchmarks, where an external system of
 * this machine must not cost what is measured.
 */
final class RowsInMemory implements LedgerRows {

  private final LedgerNames names;
  private final int mostOrders;
  private final SequencedMap<UUID, List<Standing>> byOrder = new LinkedHashMap<>();
  private final Map<EffectKey, LedgerRow> byKey = new HashMap<>();
  private final Map<EffectKey, Integer> attempts = new HashMap<>();

  RowsInMemory(LedgerNames names, int mostOrders) {
    this.names = names;
    this.mostOrders = mostOrders;
  }

  private record Standing(LedgerRow row, Instant at) {

    LedgerEntry entry() {
      return new LedgerEntry(row.key().key(), row.kind(), row.effect().amount(), at);
    }
  }

  @Override
  public synchronized boolean insert(LedgerRow row) {
    boolean isNew = byKey.putIfAbsent(row.key(), row) == null;
    if (isNew) {
      byOrder
          .computeIfAbsent(row.effect().orderId(), ignored -> new ArrayList<>(2))
          .add(new Standing(row, Instant.now()));
      if (byOrder.size() > mostOrders) {
        byOrder.pollFirstEntry().getValue().forEach(it -> forget(it.row.key()));
      }
    }
    return isNew;
  }

  @Override
  public synchronized void insertUndo(EffectKey key, SimulatedEffect effect) {
    byOrder.getOrDefault(effect.orderId(), List.of()).stream()
        .map(Standing::row)
        .filter(row -> row.kind().equals(names.action()) && row.effect().isUndoneBy(effect))
        .findFirst()
        .ifPresent(row -> insert(new LedgerRow(key, names.undo(), row.effect())));
  }

  @Override
  public synchronized Optional<LedgerRow> standing(EffectKey key) {
    return Optional.ofNullable(byKey.get(key));
  }

  @Override
  public synchronized int countAttempt(EffectKey key) {
    return attempts.merge(key, 1, Integer::sum);
  }

  @Override
  public synchronized List<LedgerEntry> ofOrder(UUID orderId) {
    return byOrder.getOrDefault(orderId, List.of()).stream()
        .filter(it -> !it.row.kind().equals(SimulatedLedger.VOID))
        .map(Standing::entry)
        .toList();
  }

  private void forget(EffectKey key) {
    byKey.remove(key);
    attempts.remove(key);
  }
}
