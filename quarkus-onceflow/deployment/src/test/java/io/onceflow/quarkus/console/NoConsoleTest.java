package io.onceflow.quarkus.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import java.net.URI;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An application that was built without the console. */
@Tag("nightly")
class NoConsoleTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      BookingApplication.on("console_files").overrideConfigKey("onceflow.console.enabled", "false");

  @TestHTTPResource("/")
  URI application;

  @ParameterizedTest
  @ValueSource(strings = {"/console", "/console/", "/console/sagas", "/console/session"})
  void hasNothingOfIt(String path) throws Exception {
    assertThat(new ConsoleRequests(application).get(path).statusCode()).isEqualTo(404);
  }
}
