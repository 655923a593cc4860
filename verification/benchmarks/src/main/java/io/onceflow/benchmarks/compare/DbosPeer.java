package io.onceflow.benchmarks.compare;

import io.onceflow.benchmarks.cost.CostMeter;
import io.onceflow.benchmarks.machine.BenchBackends;
import io.onceflow.benchmarks.saga.stack.BenchServers;
import io.onceflow.launcher.stack.Home;
import java.io.IOException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** DBOS on a PostgreSQL of the kind and settings that Onceflow has. The broker beside it idles. */
final class DbosPeer extends InProcessPeer {

  private static final String DATABASE = "dbos";

  private final BenchServers servers;

  private DbosPeer(BenchServers servers, PeerProcess process) {
    super(process);
    this.servers = servers;
  }

  static DbosPeer start(
      Home home, BenchBackends.Kind kind, PeerBuild.Built built, Map<String, String> settings)
      throws IOException, SQLException, InterruptedException {
    BenchServers servers = BenchServers.start(kind, home);
    try {
      servers.database().execute(BenchServers.SUPERUSER, "CREATE DATABASE " + DATABASE);
      Map<String, String> environment = new HashMap<>(settings);
      environment.put("DBOS_SYSTEM_JDBC_URL", servers.jdbcUrl(DATABASE));
      environment.put("PGUSER", BenchServers.SUPERUSER);
      environment.put("PGPASSWORD", servers.superuserPassword());
      return new DbosPeer(servers, PeerProcess.start(built, home.log("bench-dbos"), environment));
    } catch (IOException | SQLException | RuntimeException e) {
      servers.close();
      throw e;
    }
  }

  @Override
  public CostMeter meter() throws SQLException {
    Map<String, List<Long>> pids = pids();
    List<Long> postgres = servers.pids().get(BenchServers.POSTGRES);
    if (postgres != null) {
      pids.put(BenchServers.POSTGRES, postgres);
    }
    return new CostMeter(servers.database(), pids, List.of());
  }

  @Override
  public Map<String, String> machine() throws SQLException {
    return servers.describe();
  }

  @Override
  public void close() {
    try (servers) {
      super.close();
    }
  }
}
