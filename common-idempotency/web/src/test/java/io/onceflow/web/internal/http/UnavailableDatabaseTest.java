package io.onceflow.web.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemContext;
import jakarta.ws.rs.core.Response;
import java.sql.SQLException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnavailableDatabaseTest {

  private static final HttpProblem UNEXPECTED =
      HttpProblem.valueOf(Response.Status.INTERNAL_SERVER_ERROR);

  /** As the pool throws it: without an SQLSTATE. */
  private static final Exception NO_CONNECTION =
      new IllegalStateException(new SQLException("Acquisition timeout", new TimeoutException()));

  @Test
  void aReadWithoutADatabaseIsToBeRepeatedLater() {
    HttpProblem answered = answered("GET", NO_CONNECTION);

    assertThat(answered.getStatusCode()).isEqualTo(503);
    assertThat(answered.getHeaders()).containsKey("Retry-After");
  }

  /** A statement that took too long, a lock that was not to be had, a session that was ended. */
  @ParameterizedTest
  @ValueSource(strings = {"57014", "55P03", "40P01", "25P03", "57P01", "99999"})
  void aReadThatTheDatabaseDidNotFinishIsToBeRepeatedLater(String state) {
    SQLException unfinished = new SQLException("not now", state);
    assertThat(answered("GET", new IllegalStateException(unfinished)).getStatusCode())
        .isEqualTo(503);
  }

  @Test
  void aChangeIsNotToldToBeRepeatedSinceItMayBeDone() {
    assertThat(answered("POST", NO_CONNECTION)).isSameAs(UNEXPECTED);
  }

  @Test
  void aStatementThatTheDatabaseRefusesIsAFault() {
    SQLException refused = new SQLException("relation does not exist", "42P01");
    assertThat(answered("GET", new IllegalStateException(refused))).isSameAs(UNEXPECTED);
  }

  private static HttpProblem answered(String method, Exception cause) {
    return new UnavailableDatabase(() -> method)
        .apply(UNEXPECTED, ProblemContext.of(cause, "/orders"));
  }
}
