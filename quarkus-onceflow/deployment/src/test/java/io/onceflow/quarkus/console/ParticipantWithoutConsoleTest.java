package io.onceflow.quarkus.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.quarkus.trip.TripApplication;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import java.net.URI;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An application that only takes part in sagas has no console: its orchestrator has. */
@Tag("nightly")
class ParticipantWithoutConsoleTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      TripApplication.on("payments")
          .overrideConfigKey("quarkus.http.test-port", "0")
          .withApplicationRoot(jar -> jar.addClasses(ConsoleRequests.class, TripApplication.class));

  @TestHTTPResource("/")
  URI application;

  @ParameterizedTest
  @ValueSource(strings = {"/console/", "/console/sagas", "/console/session"})
  void hasNothingOfIt(String path) throws Exception {
    assertThat(new ConsoleRequests(application).get(path).statusCode()).isEqualTo(404);
  }
}
