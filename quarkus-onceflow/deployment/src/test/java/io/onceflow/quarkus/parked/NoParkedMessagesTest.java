package io.onceflow.quarkus.parked;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.quarkus.trip.TripApplication;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import java.net.URI;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application may be built without the resource. */
@Tag("nightly")
class NoParkedMessagesTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      TripApplication.on("payments")
          .overrideConfigKey("quarkus.http.test-port", "0")
          .withApplicationRoot(
              jar -> jar.addClasses(SignedIn.class, Requests.class, TripApplication.class))
          .overrideConfigKey("onceflow.operators.parked-messages.enabled", "false");

  @TestHTTPResource("/")
  URI application;

  @Test
  void hasNoSuchPath() throws Exception {
    assertThat(new Requests(application).get("/parked-messages", "operator").statusCode())
        .isEqualTo(404);
  }
}
