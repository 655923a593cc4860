package io.onceflow.simulation.database;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rows by their key, oldest first.
 *
 * @param <K> the primary key
 * @param <V> a row, immutable
 */
public final class Table<K, V> {

  private final Map<K, V> committed = new LinkedHashMap<>();
  private final Map<K, SimulatedTransaction> locks = new HashMap<>();

  /** The committed rows, as the checks read them without a transaction. */
  public Collection<V> rows() {
    return committed.values();
  }

  /** The committed row of a key, as the checks read it without a transaction. */
  public @Nullable V row(K key) {
    return committed.get(key);
  }

  /** A row as a transaction sees it. */
  public @Nullable V get(SimulatedTransaction tx, K key) {
    Optional<Object> own = tx.own(this, key);
    if (own == null) {
      return committed.get(key);
    }
    return cast(own.orElse(null));
  }

  /** All rows as a transaction sees them. */
  public List<V> all(SimulatedTransaction tx) {
    List<V> rows = new ArrayList<>();
    committed.keySet().forEach(key -> add(rows, get(tx, key)));
    tx.writtenTo(this)
        .forEach(
            (key, row) -> {
              if (!committed.containsKey(key)) {
                add(rows, this.<V>cast(row.orElse(null)));
              }
            });
    return rows;
  }

  private static <V> void add(List<V> rows, @Nullable V row) {
    if (row != null) {
      rows.add(row);
    }
  }

  /** Locks a row, or the place where it would be; waits while another transaction holds it. */
  public void lock(SimulatedTransaction tx, K key) throws SQLException {
    for (SimulatedTransaction holder = locks.get(key);
        holder != null && holder != tx && holder.isOpen();
        holder = locks.get(key)) {
      tx.waitFor(holder);
    }
    take(tx, key);
  }

  /** Locks a row unless another holds it: SKIP LOCKED. */
  public boolean tryLock(SimulatedTransaction tx, K key) {
    SimulatedTransaction holder = locks.get(key);
    if (holder != null && holder != tx && holder.isOpen()) {
      return false;
    }
    take(tx, key);
    return true;
  }

  private void take(SimulatedTransaction tx, K key) {
    if (locks.put(key, tx) != tx) {
      tx.onRelease(() -> locks.remove(key, tx));
    }
  }

  /** Inserts or updates; waits while another transaction holds the row. */
  public void put(SimulatedTransaction tx, K key, V row) throws SQLException {
    lock(tx, key);
    tx.writtenTo(this).put(key, Optional.of(row));
  }

  /** Deletes; waits while another transaction holds the row. */
  public void remove(SimulatedTransaction tx, K key) throws SQLException {
    lock(tx, key);
    tx.writtenTo(this).put(key, Optional.empty());
  }

  /** Inserts unless there is one: ON CONFLICT DO NOTHING. */
  public boolean putIfAbsent(SimulatedTransaction tx, K key, V row) throws SQLException {
    if (get(tx, key) != null) {
      return false;
    }
    lock(tx, key);
    if (get(tx, key) != null) {
      return false;
    }
    tx.writtenTo(this).put(key, Optional.of(row));
    return true;
  }

  void apply(Map<Object, Optional<Object>> rows) {
    rows.forEach(
        (key, row) -> {
          if (row.isPresent()) {
            committed.put(this.<K>cast(key), this.<V>cast(row.get()));
          } else {
            committed.remove(key);
          }
        });
  }

  @SuppressWarnings("unchecked") // only rows and keys of this table are written under its name
  private <T> T cast(@Nullable Object value) {
    return (T) value;
  }
}
