package io.onceflow.simulation.database;

import io.onceflow.simulation.Coverage;
import io.onceflow.simulation.kernel.Kernel;
import io.onceflow.simulation.kernel.Node;
import io.onceflow.simulation.kernel.Waiter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An open transaction: what it has written, which rows it holds, and who waits for those. */
public final class SimulatedTransaction {

  /** PostgreSQL would find a deadlock after a second; a lock_timeout does the rest. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

  private final Database database;
  private final Node node;
  private final Map<Table<?, ?>, Map<Object, Optional<Object>>> written = new LinkedHashMap<>();
  private final List<Runnable> release = new ArrayList<>();
  private final List<Waiter> waiting = new ArrayList<>();
  private final List<Runnable> afterCommit = new ArrayList<>();
  private final Runnable onDeath = this::die;
  private boolean open = true;

  SimulatedTransaction(Database database, Node node) {
    this.database = database;
    this.node = node;
    node.onDeath(onDeath);
  }

  /** The transaction that a connection stands for. */
  public static SimulatedTransaction of(Connection connection) {
    return SimulatedConnection.in(connection);
  }

  /**
   * A statement starts: virtual time passes, and a fault may occur.
   *
   * @throws SQLException when the database is unavailable, or has rolled this transaction back
   */
  public void statement(Supplier<String> what) throws SQLException {
    database.weather().step(what);
    requireOpen();
    database.refuseIfAway();
  }

  /** Runs an action when this transaction commits. */
  public void afterCommit(Runnable what) {
    afterCommit.add(what);
  }

  /** Whose it is. */
  public Node node() {
    return node;
  }

  void commit() throws SQLException {
    database.weather().step(() -> "commit");
    requireOpen();
    database.refuseIfAway();
    if (database.weather().commitFails()) {
      end();
      throw new SQLRecoverableException("the connection broke before the commit", "08006");
    }
    apply();
    database.weather().step(() -> "committed");
    if (database.weather().commitIsUnknown()) {
      kernel().reach(Coverage.COMMIT_OUTCOME_UNKNOWN);
      throw new SQLRecoverableException("the connection broke during the commit", "08007");
    }
  }

  private void apply() {
    written.forEach((table, rows) -> table.apply(rows));
    boolean news = !written.isEmpty();
    end();
    afterCommit.forEach(Runnable::run);
    if (news) {
      database.committed();
    }
  }

  private void die() {
    if (!written.isEmpty()) {
      kernel().reach(Coverage.CRASH_IN_TRANSACTION);
    }
    end();
  }

  /** Releases all locks; uncommitted writes are discarded. */
  void end() {
    if (open) {
      open = false;
      node.forget(onDeath);
      release.forEach(Runnable::run);
      waiting.forEach(Waiter::wake);
    }
  }

  boolean isOpen() {
    return open;
  }

  /** Waits until another transaction has ended. */
  void waitFor(SimulatedTransaction other) throws SQLException {
    Waiter waiter = kernel().waiter();
    boolean[] tooLong = {false};
    other.waiting.add(waiter);
    kernel()
        .after(
            LONGEST_WAIT.toNanos(),
            () -> {
              if (!waiter.isWoken()) {
                tooLong[0] = true;
                waiter.wake();
              }
            });
    waiter.await();
    requireOpen();
    if (tooLong[0]) {
      throw new SQLException("canceling statement due to lock timeout", "55P03");
    }
  }

  /** What it has written of a table, by key. */
  Map<Object, Optional<Object>> writtenTo(Table<?, ?> table) {
    return written.computeIfAbsent(table, any -> new LinkedHashMap<>());
  }

  /** What it has written to a row; null when it has not. */
  @Nullable Optional<Object> own(Table<?, ?> table, Object key) {
    Map<Object, Optional<Object>> rows = written.get(table);
    return rows == null ? null : rows.get(key);
  }

  void onRelease(Runnable what) {
    release.add(what);
  }

  private void requireOpen() throws SQLException {
    if (!open) {
      throw new SQLRecoverableException("the connection is closed", "08003");
    }
  }

  private Kernel kernel() {
    return database.kernel();
  }
}
