package io.onceflow.simulation.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.simulation.kernel.Kernel;
import io.onceflow.simulation.kernel.Node;
import io.onceflow.simulation.kernel.RunTrace;
import io.onceflow.simulation.kernel.Task;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A simulated transaction")
class SimulatedTransactionTest {

  private final Kernel kernel = new Kernel(new RunTrace(false));
  private final Database database = new Database(kernel, "db", FaultPoints.CALM);
  private final Table<String, Integer> table = new Table<>();
  private final Node node = new Node(kernel, "node", Duration.ZERO, () -> {});
  private final Node other = new Node(kernel, "other", Duration.ZERO, () -> {});
  private final List<String> told = new ArrayList<>();

  SimulatedTransactionTest() {
    node.start();
    other.start();
  }

  @Test
  void isSeenByOthersOnceItHasCommitted() {
    at(
        0,
        node,
        () -> {
          SimulatedTransaction tx = database.begin(node);
          table.put(tx, "a", 1);
          kernel.sleep(100);
          tx.commit();
        });
    at(50, other, () -> told.add("before: " + table.get(database.begin(other), "a")));
    at(150, other, () -> told.add("after: " + table.get(database.begin(other), "a")));
    run();
    assertThat(told).containsExactly("before: null", "after: 1");
  }

  @Test
  void waitsForTheTransactionThatHoldsTheRow() {
    at(
        0,
        node,
        () -> {
          SimulatedTransaction tx = database.begin(node);
          table.put(tx, "a", 1);
          kernel.sleep(100);
          tx.commit();
        });
    at(
        50,
        other,
        () -> told.add(table.putIfAbsent(database.begin(other), "a", 2) + " at " + kernel.now()));
    run();
    assertThat(told).containsExactly("false at 100");
  }

  @Test
  void leavesNothingWhenItsProcessDies() {
    at(
        0,
        node,
        () -> {
          table.put(database.begin(node), "a", 1);
          kernel.sleep(100);
          told.add("goes on");
        });
    kernel.after(50, node::crash);
    at(60, other, () -> told.add("free: " + table.putIfAbsent(database.begin(other), "a", 2)));
    run();
    assertThat(told).containsExactly("free: true");
    assertThat(table.rows()).isEmpty();
  }

  @Test
  void passesByWhatAnotherHasLocked() {
    at(0, node, () -> table.lock(database.begin(node), "a"));
    at(50, other, () -> told.add("got it: " + table.tryLock(database.begin(other), "a")));
    run();
    assertThat(told).containsExactly("got it: false");
  }

  @Test
  void givesUpWaitingInTime() {
    at(0, node, () -> table.lock(database.begin(node), "a"));
    at(
        50,
        other,
        () -> {
          try {
            table.lock(database.begin(other), "a");
          } catch (SQLException e) {
            told.add(e.getSQLState());
          }
        });
    run();
    assertThat(told).containsExactly("55P03");
  }

  private void at(long nanos, Node whose, Task.Body body) {
    kernel.after(nanos, () -> kernel.spawn(whose, "task", body));
  }

  private void run() {
    assertThat(kernel.runUntil(Duration.ofDays(1).toNanos(), 1_000)).isTrue();
  }
}
