package io.onceflow.quarkus.parked;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.quarkus.trip.TripApplication;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Operators see and delete what is parked in an application that has the extension alone. */
class ParkedMessagesTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      TripApplication.on("payments")
          .overrideConfigKey("quarkus.http.test-port", "0")
          .withApplicationRoot(
              jar ->
                  jar.addClasses(
                      SignedIn.class, Secrets.class, Requests.class, TripApplication.class));

  @TestHTTPResource("/")
  URI application;

  @Inject DataSource database;

  @Test
  void listsWhatIsParkedToOperatorsOnly() throws Exception {
    UUID message = park();

    assertThat(new Requests(application).get("/parked-messages", "operator").body())
        .contains(message.toString());
    assertThat(new Requests(application).get("/parked-messages", "customer").statusCode())
        .isEqualTo(403);
  }

  @Test
  void asksACallerWithoutATokenForOne() throws Exception {
    HttpResponse<String> refused = new Requests(application).get("/parked-messages", null);

    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
    assertThat(refused.body()).contains("\"type\":\"/problems/unauthorized\"");
  }

  @Test
  void showsAMessageWithoutWhatItsApplicationRedacts() throws Exception {
    UUID message = park();

    HttpResponse<String> shown =
        new Requests(application).get("/parked-messages/" + message, "operator");

    assertThat(shown.statusCode()).isEqualTo(200);
    assertThat(shown.body()).contains("the flight is ***").doesNotContain("OF 1");
  }

  @Test
  void deletesAMessageOnce() throws Exception {
    UUID message = park();

    assertThat(
            new Requests(application)
                .delete("/parked-messages/" + message, "operator")
                .statusCode())
        .isEqualTo(204);
    assertThat(
            new Requests(application)
                .delete("/parked-messages/" + message, "operator")
                .statusCode())
        .isEqualTo(404);
  }

  @Test
  void refusesAPageThatIsTooLarge() throws Exception {
    assertThat(new Requests(application).get("/parked-messages?limit=501", "operator").statusCode())
        .isEqualTo(400);
  }

  private UUID park() throws SQLException {
    UUID message = UUID.randomUUID();
    try (Connection connection = database.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                """
                INSERT INTO parked_message (id, queue, type, reason, detail, headers, payload)
                VALUES (?, 'trips.commands', 'ReserveFlight', 'malformed',
                        'the flight is OF 1', '{}', convert_to('{"flight": "OF 1"}', 'UTF8'))
                """)) {
      insert.setObject(1, message);
      insert.executeUpdate();
    }
    return message;
  }
}
