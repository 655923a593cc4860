package io.onceflow.quarkus.parked;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.quarkus.trip.TripApplication;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.URI;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application's own resource of the same path takes the place of the product's. */
@Tag("nightly")
class OwnParkedMessagesTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      TripApplication.on("payments")
          .overrideConfigKey("quarkus.http.test-port", "0")
          .withApplicationRoot(
              jar -> jar.addClasses(Own.class, Requests.class, TripApplication.class));

  /** Shows nothing to anybody. */
  @Path("/parked-messages")
  public static class Own {

    @GET
    public String list() {
      return "none of your business";
    }
  }

  @TestHTTPResource("/")
  URI application;

  @Test
  void isAsked() throws Exception {
    assertThat(new Requests(application).get("/parked-messages", null).body())
        .isEqualTo("none of your business");
  }
}
