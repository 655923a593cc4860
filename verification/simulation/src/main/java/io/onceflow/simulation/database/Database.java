package io.onceflow.simulation.database;

import io.onceflow.simulation.Coverage;
import io.onceflow.simulation.kernel.Kernel;
import io.onceflow.simulation.kernel.Node;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The database of one service. Transactions are READ COMMITTED: a statement sees what others have
 * committed, and a write to a row that another transaction has written and not committed waits for
 * it.
 */
public final class Database {

  private final Kernel kernel;
  private final String name;
  private final FaultPoints faults;
  private final List<Runnable> onCommit = new ArrayList<>();
  private boolean away;

  public Database(Kernel kernel, String name, FaultPoints faults) {
    this.kernel = kernel;
    this.name = name;
    this.faults = faults;
  }

  /** Its clock, which decides about leases and timers. */
  public Instant now() {
    return kernel.instant();
  }

  /** Makes the database refuse every statement, or accept them again. */
  public void setAway(boolean away) {
    this.away = away;
    kernel.tell(name, () -> away ? "GOES AWAY" : "is back");
    committed();
  }

  /** Called after each commit, and when the database comes back. */
  public void onCommit(Runnable what) {
    onCommit.add(what);
  }

  /** No longer to be done. */
  public void forget(Runnable what) {
    onCommit.remove(what);
  }

  /** A transaction of a process as a {@code Connection}. */
  SimulatedTransaction begin(Node node) throws SQLException {
    refuseIfAway();
    return new SimulatedTransaction(this, node);
  }

  /** The same as a connection. */
  public Connection connect(Node node) throws SQLException {
    return SimulatedConnection.of(begin(node));
  }

  /** Whether it refuses everything. */
  public boolean isAway() {
    return away;
  }

  void refuseIfAway() throws SQLException {
    if (away) {
      throw new SQLRecoverableException(name + " is away", "08006");
    }
  }

  void committed() {
    List.copyOf(onCommit).forEach(Runnable::run);
  }

  /** Records that a situation was reached. */
  public void reach(Coverage what) {
    kernel.reach(what);
  }

  Kernel kernel() {
    return kernel;
  }

  FaultPoints weather() {
    return faults;
  }

  @Override
  public String toString() {
    return name;
  }
}
