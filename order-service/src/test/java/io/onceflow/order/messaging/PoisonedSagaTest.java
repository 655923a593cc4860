package io.onceflow.order.messaging;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.internal.messaging.TimerSweep;
import io.onceflow.saga.internal.runtime.SagaConfig;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Sagas that cannot be handled, at the head of those that are due. Seen red before failures were
 * counted saga by saga: each batch failed with them, and no timer of their definition was fired.
 */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Tag("nightly")
class PoisonedSagaTest {

  private static final Duration SOON = Duration.ofSeconds(30);
  private static final int SOUND = 20;

  @Inject DataSource database;
  @Inject UnitOfWork unitOfWork;
  @Inject SagaRunners sagas;
  @Inject SagaConfig config;

  private final String customer = "customer-" + UUID.randomUUID();

  @Test
  void holdsUpNoOtherSagaAndIsInQuarantineUntilItIsRetriedAfterTheMend() throws Exception {
    PlayedOrder garbage = PlayedOrder.place(customer);
    PlayedOrder orphan = PlayedOrder.place(customer);
    List<PlayedOrder> sound =
        IntStream.range(0, SOUND).mapToObj(i -> PlayedOrder.place(customer)).toList();
    update("UPDATE orders SET items = '{\"garbage\": true}' WHERE id = ?", garbage.id());
    update("DELETE FROM orders WHERE id = ?", orphan.id());
    makeDue(garbage, "2 hours");
    makeDue(orphan, "2 hours");
    for (PlayedOrder order : sound) {
      makeDue(order, "1 hour");
    }

    twoReplicasSweep();

    // Timers that a statement sets to an earlier time are found by the next look from the start.
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(sound)
                    .allSatisfy(order -> assertThat(attempts(order)).isGreaterThan(1)));
    awaitQuarantine(garbage);
    awaitQuarantine(orphan);
    seen(garbage)
        .body("status", equalTo("RUNNING"))
        .body("quarantine.failures", equalTo(5))
        .body("quarantine.reason", containsString("Exception at OrderTable"))
        .body("quarantine.reason", not(containsString("garbage")))
        .body("history.event", hasItem("saga-quarantined"));
    asOperator()
        .get("/sagas?quarantined=true&limit=500")
        .then()
        .body("sagas.id", hasItem(garbage.saga()))
        .body("sagas.id", hasItem(orphan.saga()))
        .body("sagas.id", not(hasItem(sound.getFirst().saga())))
        .body("sagas.quarantine", not(hasItem(nullValue())));
    retry(garbage).statusCode(409).body("detail", containsString("OrderTable"));
    seen(garbage).body("quarantine", notNullValue());

    update("UPDATE orders SET items = '[]' WHERE id = ?", garbage.id());

    retry(garbage).statusCode(200).body("quarantine", nullValue());
    seen(garbage).body("history.event", hasItem("retry-requested"));
    assertThat(attempts(garbage)).isGreaterThan(1);
    forget(orphan);
  }

  /**
   * Such as by an operator at the database. Each batch waited for it, until its statement's end.
   */
  @Test
  void whoseOrderIsLockedHoldsUpNoOtherSaga() throws Exception {
    PlayedOrder locked = PlayedOrder.place(customer);
    List<PlayedOrder> sound =
        IntStream.range(0, SOUND).mapToObj(i -> PlayedOrder.place(customer)).toList();
    try (Connection holder = database.getConnection()) {
      holder.setAutoCommit(false);
      execute(holder, "SELECT FROM orders WHERE id = ? FOR UPDATE", locked.id());
      int before = attempts(locked);
      makeDue(locked, "2 hours");
      for (PlayedOrder order : sound) {
        makeDue(order, "1 hour");
      }

      await()
          .atMost(SOON)
          .untilAsserted(
              () -> {
                execute(holder, "SELECT FROM orders WHERE id = ?", locked.id());
                assertThat(sound).allSatisfy(order -> assertThat(attempts(order)).isGreaterThan(1));
              });
      assertThat(attempts(locked)).isEqualTo(before);
      holder.rollback();
      await().atMost(SOON).until(() -> attempts(locked) > before);
    }
    seen(locked).body("quarantine", nullValue());
  }

  private static void execute(Connection connection, String sql, String id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, UUID.fromString(id));
      statement.execute();
    }
  }

  /** Beside them the timers of the application itself run. */
  private void twoReplicasSweep() throws Exception {
    Callable<Void> replica =
        () -> {
          new TimerSweep(unitOfWork, config.failurePolicy(), 8).sweep(sagas.of("place-order"));
          new TimerSweep(unitOfWork, config.failurePolicy(), 200).sweep(sagas.of("place-order"));
          return null;
        };
    try (ExecutorService replicas = Executors.newFixedThreadPool(2)) {
      for (Future<Void> done : replicas.invokeAll(List.of(replica, replica))) {
        done.get();
      }
    }
  }

  private void awaitQuarantine(PlayedOrder order) {
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              update(
                  "UPDATE saga_instance SET next_action_at = now()"
                      + " WHERE id = ? AND next_action_at < 'infinity'",
                  order.saga());
              seen(order).body("quarantine", notNullValue());
            });
  }

  private static int attempts(PlayedOrder order) {
    return seen(order).extract().path("steps[0].attempts");
  }

  private static ValidatableResponse seen(PlayedOrder order) {
    return asOperator().get("/sagas/" + order.saga()).then().statusCode(200);
  }

  private static ValidatableResponse retry(PlayedOrder order) {
    return asOperator().post("/sagas/" + order.saga() + "/retry").then();
  }

  private static RequestSpecification asOperator() {
    return given().auth().oauth2(token("olga", "operator"));
  }

  private void makeDue(PlayedOrder order, String since) throws SQLException {
    update(SagaRow.MAKE_DUE + "WHERE id = ?", order.saga());
    update(
        "UPDATE saga_instance SET next_action_at = now() - interval '%s' WHERE id = ?"
            .formatted(since),
        order.saga());
  }

  /** Other tests are not to meet it. */
  private void forget(PlayedOrder order) throws SQLException {
    update("DELETE FROM saga_instance WHERE id = ?", order.saga());
  }

  private void update(String sql, String id) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, UUID.fromString(id));
      statement.executeUpdate();
    }
  }
}
