package io.onceflow.benchmarks.compare;

import io.onceflow.benchmarks.cost.CostMeter;
import io.onceflow.benchmarks.machine.BenchBackends;
import io.onceflow.benchmarks.peers.OrderMix;
import io.onceflow.benchmarks.peers.PeerRun;
import io.onceflow.benchmarks.saga.ClosedRun;
import io.onceflow.benchmarks.saga.Runs;
import io.onceflow.benchmarks.saga.SagaBench;
import io.onceflow.benchmarks.saga.load.OneAlone;
import io.onceflow.benchmarks.saga.stack.BenchServers;
import io.onceflow.benchmarks.saga.stack.OneApplication;
import io.onceflow.benchmarks.saga.stack.OrderStack;
import io.onceflow.benchmarks.saga.stack.SagaStack;
import io.onceflow.launcher.stack.Home;
import io.onceflow.launcher.token.KeyFiles;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The three services, as the saga benchmark runs them, or one application. */
final class OnceflowPeer implements Peer {

  /** As many as there is time for; each takes about ten milliseconds. */
  private static final int ALONE_PER_SECOND = 30;

  private static final int MEDIAN = 50;
  private static final int ONE_IN_HUNDRED = 99;

  private final BenchServers servers;
  private final OrderStack stack;
  private final Runs runs;

  private OnceflowPeer(BenchServers servers, OrderStack stack, Runs runs) {
    this.servers = servers;
    this.stack = stack;
    this.runs = runs;
  }

  /** Starts processes on servers. */
  @FunctionalInterface
  private interface Start {
    OrderStack on(BenchServers servers) throws IOException, InterruptedException;
  }

  static OnceflowPeer start(Home home, BenchBackends.Kind kind)
      throws IOException, SQLException, InterruptedException {
    return start(home, kind, servers -> SagaStack.start(home, servers, settings()));
  }

  /** The saga in one application; the broker beside it idles. */
  static OnceflowPeer startOneApplication(Home home, BenchBackends.Kind kind)
      throws IOException, SQLException, InterruptedException {
    new KeyFiles(home.keys()).create();
    return start(
        home, kind, servers -> OneApplication.start(home, servers, SagaBench.ALL_ARE_LET_IN));
  }

  private static OnceflowPeer start(Home home, BenchBackends.Kind kind, Start start)
      throws IOException, SQLException, InterruptedException {
    BenchServers servers = BenchServers.start(kind, home);
    try {
      OrderStack stack = start.on(servers);
      try {
        return new OnceflowPeer(servers, stack, new Runs(stack, new KeyFiles(home.keys())));
      } catch (SQLException | RuntimeException e) {
        stack.close();
        throw e;
      }
    } catch (IOException | SQLException | InterruptedException | RuntimeException e) {
      servers.close();
      throw e;
    }
  }

  /** The simulated gateway and carrier count in memory, as those of the other products do. */
  private static Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>(SagaBench.ALL_ARE_LET_IN);
    settings.put("ONCEFLOW_SIMULATED_OUTSIDE_IN_MEMORY", "true");
    return settings;
  }

  @Override
  public PeerRun run(int clients, Duration length, OrderMix mix)
      throws IOException, SQLException, InterruptedException {
    ClosedRun run = runs.closedLoop(clients, length, mix);
    return new PeerRun(
        run.sagas(),
        run.compensated(),
        run.answers().wrong(),
        micros(run.elapsed()),
        // Its clients wait for the answer and not for the saga's end.
        0,
        0);
  }

  @Override
  public PeerRun alone(Duration length) throws IOException, SQLException, InterruptedException {
    int sagas = (int) Math.max(1, length.toMillis() * ALONE_PER_SECOND / 1_000);
    long startNanos = System.nanoTime();
    OneAlone.Took took = runs.oneAlone(sagas);
    Histogram times = took.untilConfirmed();
    return new PeerRun(
        sagas,
        0,
        0,
        micros(Duration.ofNanos(System.nanoTime() - startNanos)),
        times.getValueAtPercentile(MEDIAN),
        times.getValueAtPercentile(ONE_IN_HUNDRED));
  }

  private static long micros(Duration duration) {
    return duration.toNanos() / 1_000;
  }

  @Override
  public CostMeter meter() throws SQLException {
    return new CostMeter(servers.database(), stack.pids(), stack.metrics());
  }

  @Override
  public List<String> faults() {
    return runs.faults();
  }

  @Override
  public Map<String, String> machine() throws SQLException {
    return servers.describe();
  }

  @Override
  public void close() {
    try (servers;
        stack) {
      runs.close();
    } catch (SQLException e) {
      throw new IllegalStateException("The databases do not close", e);
    }
  }
}
