package io.onceflow.quarkus.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.launcher.testing.TestServers;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.relay.RelaySignal;
import io.onceflow.outbox.internal.transport.LocalReceivers;
import io.onceflow.quarkus.trip.TripApplication;
import io.onceflow.saga.Sagas;
import io.onceflow.saga.Sagas.SagaStart;
import io.onceflow.sql.Sql;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A step whose handler is in the same application needs no row of the outbox; what is lost with the
 * process is made up for, and what fails costs what it did before.
 */
class OneApplicationTest {

  private static final String DATABASE = "parcels";

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      TripApplication.on(DATABASE)
          .setBeforeAllCustomizer(() -> TestServers.shared().createDatabase(DATABASE))
          .overrideConfigKey("quarkus.http.test-port", "0")
          .overrideConfigKey("onceflow.transport", "local")
          .overrideConfigKey("onceflow.saga.first-sweep-after", "PT0.1S")
          .withApplicationRoot(
              jar ->
                  jar.addPackage(OneApplicationTest.class.getPackage())
                      .addClasses(TripApplication.class)
                      .addAsResource(
                          new StringAsset(
                              """
                              CREATE TABLE parcel (id uuid PRIMARY KEY, status text);
                              CREATE TABLE label (parcel_id uuid PRIMARY KEY, text text);
                              """),
                          "db/migration/V1__create_parcel.sql"));

  @Inject DataSource database;
  @Inject Sagas sagas;
  @Inject RelaySignal signal;

  @AfterEach
  void repair() throws SQLException {
    Parcel.hasDefect = false;
    update("DROP TRIGGER IF EXISTS refuse ON outbox_message");
  }

  @Test
  void aSagaNeedsNoOutbox() throws SQLException {
    update(
        """
        CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE EXCEPTION 'a row of the outbox'; END $$;
        CREATE TRIGGER refuse BEFORE INSERT ON outbox_message EXECUTE FUNCTION refuse()
        """);

    UUID parcel = send();

    awaitSent(parcel);
  }

  /** A process that dies between two commits loses what it hands over. */
  @Test
  void aCommandThatIsLostIsSentAgain() throws SQLException {
    LocalReceivers real = signal.localReceivers();
    Losing losing = new Losing(real);
    signal.deliverTo(losing);
    UUID parcel;
    try {
      parcel = send();
      await().until(() -> losing.lost.get() > 0);
    } finally {
      signal.deliverTo(real);
    }

    awaitSent(parcel);
    assertThat(texts("SELECT text AS found FROM label WHERE parcel_id = ?", parcel)).hasSize(1);
  }

  /** The participant's part is done; the reply is parked, as one from another service is. */
  @Test
  void aDefectOfTheSagaLeavesTheStepDone() throws SQLException {
    Parcel.hasDefect = true;
    UUID parcel = send();

    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                texts(
                        "SELECT type AS found FROM parked_message WHERE convert_from(payload, 'UTF8') LIKE ?",
                        like(parcel))
                    .contains("LabelPrinted"));
    assertThat(texts("SELECT text AS found FROM label WHERE parcel_id = ?", parcel))
        .containsExactly("printed");
    assertThat(texts("SELECT type AS found FROM parked_message WHERE type = 'PrintLabel'"))
        .isEmpty();
  }

  @Test
  void aRowThatIsThereAlreadyIsUpdated() throws SQLException {
    UUID parcel = UUID.randomUUID();
    update("INSERT INTO label (parcel_id, text) VALUES ('%s', 'by hand')".formatted(parcel));

    send(parcel);

    awaitSent(parcel);
    assertThat(texts("SELECT text AS found FROM label WHERE parcel_id = ?", parcel))
        .containsExactly("printed");
  }

  private UUID send() {
    UUID parcel = UUID.randomUUID();
    send(parcel);
    return parcel;
  }

  private void send(UUID id) {
    Parcel parcel = new Parcel();
    parcel.id = id;
    IdempotencyKey key = new IdempotencyKey(id.toString());
    QuarkusTransaction.requiringNew()
        .run(() -> sagas.start(SendParcel.class, new SagaStart<>(parcel, "ada", key, null)));
  }

  private void awaitSent(UUID parcel) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> texts("SELECT status AS found FROM parcel WHERE id = ?", parcel),
            List.of("LABELLED AND SENT")::equals);
  }

  private static String like(UUID parcel) {
    return "%" + parcel + "%";
  }

  private List<String> texts(String sql, Object... parameters) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Sql.query(connection, sql, row -> row.text("found"), parameters);
    }
  }

  private void update(String sql) throws SQLException {
    try (Connection connection = database.getConnection()) {
      Sql.update(connection, sql);
    }
  }

  /** Takes what the real ones take, and loses it. */
  private record Losing(LocalReceivers real, AtomicInteger lost) implements LocalReceivers {

    Losing(LocalReceivers real) {
      this(real, new AtomicInteger());
    }

    @Override
    public boolean take(OutboxMessage message) {
      return real.take(message);
    }

    @Override
    public void settle(Transaction tx, boolean isJta, List<OutboxMessage> messages) {
      // All are left: replies have rows.
    }

    @Override
    public void deliver(List<OutboxMessage> committed) {
      lost.addAndGet(committed.size());
    }
  }
}
