package io.onceflow.benchmarks.transports;

import io.onceflow.benchmarks.cost.CostMeter;
import io.onceflow.benchmarks.machine.BenchBackends;
import io.onceflow.benchmarks.saga.Runs;
import io.onceflow.benchmarks.saga.SagaBench;
import io.onceflow.benchmarks.saga.stack.BenchServers;
import io.onceflow.benchmarks.saga.stack.SagaStack;
import io.onceflow.launcher.stack.Home;
import io.onceflow.launcher.token.KeyFiles;
import java.io.IOException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** The servers and the services on one transport. */
final class TransportStack implements AutoCloseable {

  private final BenchServers servers;
  private final SagaStack stack;
  private final Runs runs;
  private final Thread whenKilled;

  private TransportStack(BenchServers servers, SagaStack stack, Runs runs) {
    this.servers = servers;
    this.stack = stack;
    this.runs = runs;
    whenKilled = new Thread(servers::close);
    Runtime.getRuntime().addShutdownHook(whenKilled);
  }

  /** Starts all, and returns when the services are ready. */
  static TransportStack start(Home home, BenchBackends.Kind kind, Transport transport)
      throws IOException, SQLException, InterruptedException {
    BenchServers servers = BenchServers.start(kind, home, transport.broker());
    try {
      SagaStack stack = SagaStack.start(home, servers, settings(), transport.packaged());
      try {
        return new TransportStack(servers, stack, new Runs(stack, new KeyFiles(home.keys())));
      } catch (IOException | SQLException | RuntimeException e) {
        stack.close();
        throw e;
      }
    } catch (IOException | SQLException | InterruptedException | RuntimeException e) {
      servers.close();
      throw e;
    }
  }

  /** In the environment of each service. */
  static Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>(SagaBench.ALL_ARE_LET_IN);
    settings.put("ONCEFLOW_OUTBOX_RELAY", "poller");
    return settings;
  }

  BenchServers servers() {
    return servers;
  }

  Runs runs() {
    return runs;
  }

  CostMeter meter() throws SQLException {
    return new CostMeter(servers.database(), stack.pids(), stack.metrics());
  }

  @Override
  public void close() throws SQLException {
    try (servers;
        stack;
        runs) {
      Runtime.getRuntime().removeShutdownHook(whenKilled);
    }
  }
}
