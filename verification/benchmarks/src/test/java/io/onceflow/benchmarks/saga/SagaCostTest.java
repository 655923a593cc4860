package io.onceflow.benchmarks.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.benchmarks.ceiling.RecordedSaga;
import io.onceflow.benchmarks.ceiling.SagaRecorder;
import io.onceflow.benchmarks.cost.CostMeter;
import io.onceflow.benchmarks.cost.SagaCost;
import io.onceflow.benchmarks.cost.Snapshot;
import io.onceflow.benchmarks.cost.WalCount;
import io.onceflow.benchmarks.machine.BenchBackends;
import io.onceflow.benchmarks.saga.stack.BenchServers;
import io.onceflow.benchmarks.saga.stack.OneApplication;
import io.onceflow.benchmarks.saga.stack.OrderStack;
import io.onceflow.benchmarks.saga.stack.SagaStack;
import io.onceflow.benchmarks.sql.DatabaseServer;
import io.onceflow.launcher.stack.Home;
import io.onceflow.launcher.token.KeyFiles;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What one saga alone costs, and an idle second, in counts that no machine's speed changes. A
 * change that makes a saga cost less changes the figures here as well, so that the next one cannot
 * spend what it has gained.
 */
@Tag("packaged")
@Timeout(400)
class SagaCostTest {

  private static final int WARM_UP = 100;
  private static final int SAGAS = 100;
  private static final Duration IDLE = Duration.ofSeconds(5);

  /**
   * Each service looks for expired rows 5, 10, 20 and 40 seconds after its start, with some thirty
   * statements: in a shorter time their number depends on which of these looks it meets.
   */
  private static final Duration IDLE_FROM_THE_START = Duration.ofSeconds(30);

  private final List<Line> lines = new ArrayList<>();

  private record Line(String name, double counted, double expected, double tolerance) {

    private boolean isOff() {
      return !(Math.abs(counted - expected) <= tolerance);
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%s: %.2f, expected %.2f: %+.2f",
          name,
          counted,
          expected,
          counted - expected);
    }
  }

  @Test
  void aSagaCostsWhatItDid() throws Exception {
    Home home = Home.ofThisProcess();
    try (BenchServers servers = BenchServers.start(BenchBackends.Kind.EMBEDDED, home);
        SagaStack stack = SagaStack.start(home, servers, SagaBench.ALL_ARE_LET_IN);
        Runs runs = new Runs(stack, new KeyFiles(home.keys()))) {
      CostMeter meter = meter(stack);
      idle(meter.idle(IDLE_FROM_THE_START));
      runs.oneAlone(WARM_UP);
      statements(SagaRecorder.record(servers.database(), runs::oneSaga).saga());
      Snapshot before = meter.start();
      runs.oneAlone(SAGAS);
      alone(meter.since(before, SAGAS));
      assertThat(runs.faults()).isEmpty();
    }
    assertThat(lines.stream().filter(Line::isOff)).as("lines that changed").isEmpty();
  }

  /** As an adopter begins: one application, JPA entities, no broker. */
  @Test
  void aSagaInOneApplicationCostsWhatItDid() throws Exception {
    Home home = Home.ofThisProcess();
    new KeyFiles(home.keys()).create();
    try (BenchServers servers = BenchServers.start(BenchBackends.Kind.EMBEDDED, home);
        OrderStack stack = OneApplication.start(home, servers, SagaBench.ALL_ARE_LET_IN);
        Runs runs = new Runs(stack, new KeyFiles(home.keys()))) {
      CostMeter meter = meter(stack);
      runs.oneAlone(WARM_UP);
      SagaCost idle = meter.idle(IDLE);
      line("statements, an idle second", idle.totalStatements(), 15, 15);
      line("transactions that write, idle", idle.wal().get(WalCount.TRANSACTIONS), 0, 0.5);
      Snapshot before = meter.start();
      runs.oneAlone(SAGAS);
      SagaCost cost = meter.since(before, SAGAS);
      line("statements", statementsOfEach(servers.database(), runs), 18, 0.3);
      logged(cost, WalCount.TRANSACTIONS, 3, 0.2);
      logged(cost, WalCount.INSERTED, 10, 0.2);
      logged(cost, WalCount.UPDATED, 6, 0.2);
      logged(cost, WalCount.UPDATED_IN_PLACE, 5, 0.2);
      logged(cost, WalCount.DELETED, 0, 0.2);
      logged(cost, WalCount.INDEX_ENTRIES, 20, 0.5);
      assertThat(runs.faults()).isEmpty();
    }
    assertThat(lines.stream().filter(Line::isOff)).as("lines that changed").isEmpty();
  }

  /** What runs less often than once a saga, such as polls, is left out. */
  private static double statementsOfEach(DatabaseServer server, Runs runs) throws Exception {
    String calls =
        """
        SELECT sum(calls)
        FROM   pg_stat_statements JOIN pg_database d ON d.oid = dbid
        WHERE  datname = 'orders' AND calls >= %s AND query !~* '^(begin|commit|rollback)'
        """
            .formatted(SAGAS);
    server.execute(DatabaseServer.MAINTENANCE, "SELECT pg_stat_statements_reset()");
    runs.oneAlone(SAGAS);
    return Double.parseDouble(server.ask(DatabaseServer.MAINTENANCE, calls)) / SAGAS;
  }

  private static CostMeter meter(OrderStack stack) throws SQLException {
    return new CostMeter(stack.servers().database(), stack.pids(), stack.metrics());
  }

  /** As PostgreSQL's log shows them; what begins and ends transactions is not among them. */
  private void statements(RecordedSaga saga) {
    String steps =
        saga.steps().stream()
            .map(step -> "%s %d".formatted(step.name(), step.statements().size()))
            .collect(Collectors.joining(", "));
    line("statements (%s)".formatted(steps), saga.statements(), 33, 2.5);
  }

  /**
   * What is shared with the next saga at times makes no whole numbers. Rows of confirmed messages
   * are deleted with the next insert of messages; where none comes within 100 ms, as on a busy
   * machine, that takes transactions of its own, two or three of a saga.
   */
  private void alone(SagaCost cost) {
    logged(cost, WalCount.TRANSACTIONS, 10.5, 2);
    logged(cost, WalCount.INSERTED, 18, 0.2);
    logged(cost, WalCount.UPDATED, 8, 0.2);
    logged(cost, WalCount.UPDATED_IN_PLACE, 7, 0.2);
    logged(cost, WalCount.DELETED, 6, 0.2);
    logged(cost, WalCount.INDEX_ENTRIES, 48, 0.5);
    double pages = cost.wal().get(WalCount.FULL_PAGE_BYTES);
    // Splits of pages write more while tables are small.
    line("WAL bytes without images of full pages", cost.walBytes() - pages, 17_000, 3_000);
    line("messages to the broker", cost.messages().orElseThrow(), 6, 0.2);
  }

  /** Some polls are seldom, and a busy machine polls less. */
  private void idle(SagaCost second) {
    line("statements, an idle second", second.totalStatements(), 13, 9);
    line("transactions that write, idle", second.wal().get(WalCount.TRANSACTIONS), 0, 0.5);
  }

  private void logged(SagaCost cost, WalCount what, double expected, double tolerance) {
    line(what.label(), cost.wal().get(what), expected, tolerance);
  }

  private void line(String name, double counted, double expected, double tolerance) {
    lines.add(new Line(name, counted, expected, tolerance));
  }
}
