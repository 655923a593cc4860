package io.onceflow.order.messaging;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A saga that nobody answers, at the moment when somebody is to be told. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class StuckTest {

  private static final Logger LOG = Logger.getLogger("io.onceflow.saga.internal.messaging.Timers");

  @Inject DataSource database;

  private final List<String> warnings = new CopyOnWriteArrayList<>();
  private final Handler listener = new Listener();

  @BeforeEach
  void listen() {
    LOG.addHandler(listener);
  }

  @AfterEach
  void stopListening() {
    LOG.removeHandler(listener);
  }

  @Test
  void warnsOnceAndSaysWhichSagaItIsAndWhatToDo() throws SQLException {
    PlayedOrder order = PlayedOrder.place("customer-" + UUID.randomUUID());
    given()
        .auth()
        .oauth2(token("olga", "operator"))
        .post("/sagas/" + order.saga() + "/compensate")
        .then()
        .statusCode(200);

    execute(SagaRow.COMPENSATED_TEN_TIMES + "WHERE id = '%s'", order);
    execute(SagaRow.MAKE_DUE + "WHERE id = '%s'", order);

    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> "STUCK".equals(order.<String>saga("status")));
    await().atMost(Duration.ofSeconds(30)).until(() -> !of(order).isEmpty());
    assertThat(of(order)).hasSize(1);
    assertThat(of(order).getFirst())
        .contains("of place-order is STUCK: process-payment was sent 10 times")
        .contains("every PT30M")
        .contains("POST /sagas/%s/retry".formatted(order.saga()));
  }

  private List<String> of(PlayedOrder order) {
    return warnings.stream().filter(warning -> warning.contains(order.saga())).toList();
  }

  private void execute(String sql, PlayedOrder order) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(sql.formatted(order.saga()))).isEqualTo(1);
    }
  }

  private final class Listener extends Handler {

    @Override
    public void publish(LogRecord told) {
      if (told.getLevel().intValue() >= Level.WARNING.intValue()) {
        warnings.add(told.getMessage().formatted(told.getParameters()));
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
