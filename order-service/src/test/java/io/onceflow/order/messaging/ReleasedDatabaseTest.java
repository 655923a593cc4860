package io.onceflow.order.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import io.onceflow.sql.Sql;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An upgrade from the last release, with orders under way: this build migrates the database that it
 * left, and its sagas end as if nothing had happened. Until there is a release, the database is the
 * one that this build has left in {@link ReleaseRecordTest}, which runs before: no migration can
 * break it, and it is left to the night.
 */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    restrictToAnnotatedClass = true,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@QuarkusTestResource(value = ReleasedDatabase.class, restrictToAnnotatedClass = true)
@Tag("nightly")
class ReleasedDatabaseTest {

  private static final Duration SOON = Duration.ofSeconds(30);

  @Inject BrokerConnection broker;
  @Inject DataSource database;

  @ConfigProperty(name = "quarkus.application.version")
  String version;

  private Channel channel;

  @BeforeEach
  void open() throws IOException {
    channel = broker.openChannel();
  }

  @AfterEach
  void close() throws Exception {
    channel.close();
  }

  @Test
  void isThatOfAReleaseOnceThereIsOne() throws IOException {
    assertThat(ReleaseRecord.last().isOfARelease() || version.startsWith("0.1.0"))
        .as("the database of 0.1.0 is recorded: docs/internals/releasing.md")
        .isTrue();
  }

  /** Flyway compares checksums too; where one differs, or a file is gone, this says what to do. */
  @Test
  void noReleasedMigrationIsChangedOrGone() throws IOException {
    ReleaseRecord last = ReleaseRecord.last();
    assertThat(last.migrations()).isNotEmpty();
    for (String path : last.migrations()) {
      try (InputStream migration = ReleaseRecord.onClassPath(path)) {
        assertThat(migration).as("%s is released: write a new migration", path).isNotNull();
        assertThat(new String(migration.readAllBytes(), UTF_8))
            .as("%s is released: write a new migration", path)
            .isEqualTo(last.migration(path));
      }
    }
  }

  @Test
  void anOrderThatWaitsForItsPaymentIsConfirmed() throws IOException, SQLException {
    PlayedOrder order = orderOf(ReleaseRecordTest.PAYING);
    order.awaitStep("process-payment", "WAITING");

    order.paymentProcessed(channel);
    order.awaitStep("arrange-shipment", "WAITING");
    order.shipmentArranged(channel);

    order.awaitStatus("CONFIRMED");
    assertThat(order.<String>saga("status")).isEqualTo("COMPLETED");
  }

  /** With the bytes that the last release has rendered. */
  @Test
  void whatWaitsIsSentAgain() throws IOException, SQLException {
    PlayedOrder order = orderOf(ReleaseRecordTest.SHIPPING);
    String sent = "steps.find { it.name == 'arrange-shipment' }.attempts";
    int before = order.saga(sent);
    try (Connection connection = database.getConnection()) {
      Sql.update(connection, SagaRow.MAKE_DUE + "WHERE id = ?::uuid", order.saga());
    }
    await().atMost(SOON).until(() -> order.<Integer>saga(sent) > before);

    order.shipmentArranged(channel);
    order.awaitStatus("CONFIRMED");
  }

  @Test
  void anOrderThatIsCancelledIsRefunded() throws IOException, SQLException {
    PlayedOrder order = orderOf(ReleaseRecordTest.CANCELLING);
    order.awaitStep("process-payment", "COMPENSATING");

    order.paymentRefunded(channel);

    order.awaitStatus("CANCELLED");
    assertThat(order.<String>saga("status")).isEqualTo("COMPENSATED");
  }

  @Test
  void whatHasEndedIsShownAndItsKeyReplayed() throws SQLException {
    PlayedOrder order = orderOf(ReleaseRecordTest.CONFIRMED);
    assertThat(order.<String>read("status")).isEqualTo("CONFIRMED");
    assertThat(order.<String>saga("history[-1].event")).isEqualTo("saga-completed");

    assertThat(PlayedOrder.place(ReleaseRecordTest.CONFIRMED, order.key()).id())
        .isEqualTo(order.id());
  }

  private PlayedOrder orderOf(String customer) throws SQLException {
    String order =
        """
        SELECT orders.id, saga.id AS saga, saga.root_key
        FROM   orders
        JOIN   saga_instance saga ON saga.subject_id = orders.id
        WHERE  customer = ?
        """;
    try (Connection connection = database.getConnection()) {
      return Sql.find(
              connection,
              order,
              row ->
                  new PlayedOrder(
                      String.valueOf(row.uuid("id")),
                      String.valueOf(row.uuid("saga")),
                      customer,
                      Objects.requireNonNull(row.text("root_key"))),
              customer)
          .orElseThrow();
    }
  }
}
