package io.onceflow.outbox;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.outbox.internal.OutboxStore;
import io.onceflow.outbox.internal.OutboxTable;
import io.onceflow.outbox.internal.relay.RelayBatch;
import io.onceflow.outbox.internal.transport.Publisher;
import io.onceflow.test.internal.TestConfig;
import java.io.IOException;
import java.sql.SQLException;
import javax.sql.DataSource;

/** One turn of the relay at a test's bidding, with a publisher of the test's own. */
public final class RelayTurn {

  private RelayTurn() {}

  /** Claims what is due, has it published, and deletes what was confirmed. */
  public static void take(DataSource database, Publisher publisher)
      throws SQLException, IOException, InterruptedException {
    take(database, publisher, new OutboxTable(new ObjectMapper()));
  }

  public static void take(DataSource database, Publisher publisher, OutboxStore outbox)
      throws SQLException, IOException, InterruptedException {
    MeterRegistry metrics = new SimpleMeterRegistry();
    new RelayBatch(database, outbox, publisher, TestConfig.outbox().relay(), metrics).relay();
  }
}
