package io.onceflow.benchmarks.saga.stack;

import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Processes of Onceflow that take orders, and the servers that they run on. */
public interface OrderStack extends AutoCloseable {

  /** Where orders are posted. */
  URI orders();

  /** A connection to the database that holds a table, for looking. */
  Connection connect(Table table) throws SQLException;

  /** What they run on. */
  BenchServers servers();

  /** The processes behind each part, by the part's name; without those that cannot be seen. */
  Map<String, List<Long>> pids();

  /** Their pages of meters. */
  List<URI> metrics();

  @Override
  void close();

  /** What a run leaves, each with an outbox beside it. */
  enum Table {
    ORDERS,
    PAYMENT,
    SHIPMENT
  }
}
