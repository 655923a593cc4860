package io.onceflow.quarkus.reluctant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.launcher.testing.TestServers;
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
import javax.sql.DataSource;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The whole way of a refusal that does not end its step, through the inboxes of participant and
 * orchestrator. Before: the participant answered the refusal for ever; and with that mended, the
 * success was parked as fingerprint-mismatch.
 */
@Tag("nightly")
class RefusedOnTheWayTest {

  private static final String DATABASE = "reluctant_rentals";
  private static final Duration SOON = Duration.ofSeconds(60);

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      TripApplication.on(DATABASE)
          .setBeforeAllCustomizer(() -> TestServers.shared().createDatabase(DATABASE))
          .overrideConfigKey("quarkus.http.test-port", "0")
          .overrideConfigKey("onceflow.transport", "local")
          .overrideConfigKey("onceflow.saga.first-sweep-after", "PT0.1S")
          .withApplicationRoot(
              jar ->
                  jar.addPackage(RefusedOnTheWayTest.class.getPackage())
                      .addClasses(TripApplication.class)
                      .addAsResource(
                          new StringAsset("CREATE TABLE rental (id uuid PRIMARY KEY, tool text);"),
                          "db/migration/V1__create_rental.sql"));

  @Inject DataSource database;
  @Inject Sagas sagas;
  @Inject ReluctantDepot depot;

  @BeforeEach
  void reset() {
    depot.reset();
  }

  @Test
  void aCompensationIsDoneInTheEnd() throws SQLException {
    depot.refuseTimes("ReturnTool", 2);
    depot.refuseTimes("PayRental", 1);

    UUID saga = rent();

    awaitEnd(saga, "COMPENSATED");
    assertThat(depot.asked("ReturnTool")).isEqualTo(3);
    assertThat(texts("SELECT reason AS found FROM parked_message")).isEmpty();
  }

  @Test
  void aStepPastThePivotIsDoneInTheEnd() throws SQLException {
    depot.refuseTimes("InsureRental", 2);

    UUID saga = rent();

    awaitEnd(saga, "COMPLETED");
    assertThat(depot.asked("InsureRental")).isEqualTo(3);
    assertThat(texts("SELECT reason AS found FROM parked_message")).isEmpty();
  }

  private UUID rent() {
    Rental rental = new Rental();
    rental.id = UUID.randomUUID();
    rental.tool = "drill";
    IdempotencyKey key = new IdempotencyKey(rental.id.toString());
    return QuarkusTransaction.requiringNew()
        .call(() -> sagas.start(RentTool.class, new SagaStart<>(rental, "ada", key, null)));
  }

  private void awaitEnd(UUID saga, String end) {
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(
                        texts(
                            "SELECT status AS found FROM saga_instance WHERE id = '%s'"
                                .formatted(saga)))
                    .containsExactly(end));
  }

  private List<String> texts(String sql) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Sql.query(connection, sql, row -> row.text("found"));
    }
  }
}
