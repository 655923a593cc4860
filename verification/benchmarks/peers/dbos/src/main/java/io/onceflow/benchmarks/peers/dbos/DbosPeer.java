package io.onceflow.benchmarks.peers.dbos;

import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.context.WorkflowOptions;
import io.onceflow.benchmarks.peers.PeerServer;
import io.onceflow.benchmarks.peers.SimulatedServices;

/** DBOS: the workflow is called directly, under the order's id as the workflow's. */
public final class DbosPeer {

  /** More connections than two cores and a disk can use; its default is ten. */
  private static final int CONNECTIONS = 32;

  private DbosPeer() {}

  /** Runs until the benchmark closes the input. */
  public static void main(String[] arguments) throws Exception {
    SimulatedServices services = new SimulatedServices();
    try (HikariDataSource database = database()) {
      DBOS dbos = new DBOS(DBOSConfig.defaults("onceflow-compare").withDataSource(database));
      OrderRows rows =
          System.getenv("BUSINESS_ROWS") == null ? new OrderRows(null) : OrderRows.in(database);
      PlaceOrder saga =
          dbos.registerProxy(PlaceOrder.class, new PlaceOrderWorkflow(dbos, services, rows));
      dbos.launch();
      PeerServer.serve(
          order -> {
            rows.place(order);
            try (var id = new WorkflowOptions(order.id()).setContext()) {
              return saga.run(order);
            }
          },
          services);
      dbos.shutdown();
    }
    System.exit(0);
  }

  private static HikariDataSource database() {
    HikariDataSource database = new HikariDataSource();
    database.setJdbcUrl(System.getenv("DBOS_SYSTEM_JDBC_URL"));
    database.setUsername(System.getenv("PGUSER"));
    database.setPassword(System.getenv("PGPASSWORD"));
    database.setMaximumPoolSize(CONNECTIONS);
    return database;
  }
}
