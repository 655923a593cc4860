package io.onceflow.debezium;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.debezium.embedded.Connect;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.onceflow.launcher.servers.Credentials;
import io.onceflow.launcher.servers.EmbeddedPostgresServer;
import io.onceflow.launcher.servers.WalLevel;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.OutboxTable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The settings are those of docs/operations/debezium.md. */
@Timeout(120)
@Tag("nightly")
class OutboxEventRouterTest {

  private static final List<String> MIGRATIONS =
      List.of("V0_3_1__create_outbox_message.sql", "V0_3_2__create_outbox_lease.sql");

  private final BlockingQueue<SourceRecord> records = new LinkedBlockingQueue<>();

  /** As {@code onceflow.outbox.relay=none} leaves it: inserted and deleted by one transaction. */
  @Test
  void routesARowThatItsTransactionHasDeleted() throws Exception {
    try (EmbeddedPostgresServer server = EmbeddedPostgresServer.startTemporary(WalLevel.LOGICAL);
        ExecutorService thread = Executors.newSingleThreadExecutor()) {
      try (Connection connection = connect(server)) {
        migrate(connection);
        DebeziumEngine<?> engine = engine(server);
        thread.submit(engine);
        try {
          awaitSlot(connection);
          OutboxMessage first = message("7");
          OutboxMessage second = message("8");
          commit(connection, first, second);
          assertIsRouted(first);
          assertIsRouted(second);
        } finally {
          engine.close();
        }
      }
    }
  }

  private void assertIsRouted(OutboxMessage message) throws InterruptedException {
    SourceRecord record = records.poll(60, TimeUnit.SECONDS);
    assertThat(record).as("a record of " + message.id()).isNotNull();
    assertThat(record.topic()).isEqualTo("outbox.event.shipment");
    assertThat(record.key()).isEqualTo(message.aggregateId());
    assertThat(record.value()).isEqualTo(message.payload());
    assertThat(header(record, "id")).isEqualTo(message.id().toString());
    assertThat(header(record, "type")).isEqualTo("ArrangeShipment");
    assertThat(header(record, "exchange")).isEqualTo(OutboxMessage.COMMANDS);
    assertThat(header(record, "routingKey")).isEqualTo("shipment.arrange");
    assertThat(header(record, "correlationId")).isEqualTo("saga-1");
    assertThat(header(record, "replyTo")).isEqualTo("order-service");
    assertThat(header(record, "headers")).isEqualTo("{\"x-saga-step\": \"arrange-shipment\"}");
  }

  private static Object header(SourceRecord record, String name) {
    return record.headers().lastWithName(name).value();
  }

  private static OutboxMessage message(String aggregate) {
    return new OutboxMessage(
        OutboxMessage.newId(),
        "shipment",
        aggregate,
        "ArrangeShipment",
        "{\"for\":\"Jürgen\"}",
        OutboxMessage.COMMANDS,
        "shipment.arrange",
        "saga-1",
        "order-service",
        Map.of("x-saga-step", "arrange-shipment"));
  }

  private static void commit(Connection connection, OutboxMessage... messages) throws SQLException {
    OutboxTable table = new OutboxTable(new ObjectMapper());
    connection.setAutoCommit(false);
    table.insert(connection, List.of(messages), Duration.ofMinutes(1));
    table.delete(connection, List.of(messages).stream().map(OutboxMessage::id).toList());
    connection.commit();
    connection.setAutoCommit(true);
  }

  private DebeziumEngine<ChangeEvent<SourceRecord, SourceRecord>> engine(
      EmbeddedPostgresServer server) throws IOException {
    Properties settings = new Properties();
    settings.setProperty("name", "outbox");
    settings.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
    settings.setProperty(
        "offset.storage", "org.apache.kafka.connect.storage.MemoryOffsetBackingStore");
    settings.setProperty("plugin.name", "pgoutput");
    settings.setProperty("database.hostname", "localhost");
    settings.setProperty("database.port", Integer.toString(server.port()));
    settings.setProperty("database.user", "postgres");
    settings.setProperty("database.password", server.superuserPassword());
    settings.setProperty("database.dbname", "orders");
    settings.setProperty("topic.prefix", "orders");
    settings.setProperty("snapshot.mode", "no_data");
    settings.setProperty("publication.autocreate.mode", "filtered");
    settings.setProperty("table.include.list", "public.outbox_message");
    settings.setProperty("tombstones.on.delete", "false");
    settings.setProperty("transforms", "outbox");
    settings.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
    settings.setProperty(
        "transforms.outbox.table.fields.additional.placement",
        "type:header:type,exchange:header:exchange,routing_key:header:routingKey,"
            + "correlation_id:header:correlationId,reply_to:header:replyTo,headers:header:headers");
    return DebeziumEngine.create(Connect.class)
        .using(settings)
        .notifying(event -> records.add(event.value()))
        .build();
  }

  private static void awaitSlot(Connection connection) throws Exception {
    try (Statement statement = connection.createStatement()) {
      boolean isActive = false;
      while (!isActive) {
        TimeUnit.MILLISECONDS.sleep(50);
        isActive = statement.executeQuery("SELECT FROM pg_replication_slots WHERE active").next();
      }
    }
  }

  private static Connection connect(EmbeddedPostgresServer server) throws SQLException {
    return DriverManager.getConnection(server.jdbcUrl("orders"), "orders", Credentials.PASSWORD);
  }

  private static void migrate(Connection connection) throws Exception {
    for (String migration : MIGRATIONS) {
      try (InputStream sql =
              OutboxTable.class.getResourceAsStream("/db/onceflow/outbox/" + migration);
          Statement statement = connection.createStatement()) {
        statement.execute(new String(sql.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
  }
}
