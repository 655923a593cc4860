package io.onceflow.quarkus.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.builder.Version;
import io.quarkus.maven.dependency.Dependency;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the page learns of who sends a bearer token. */
@Tag("nightly")
class ConsoleSessionTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      BookingApplication.on("console_session")
          .overrideConfigKey("mp.jwt.verify.audiences", "trips")
          .setForcedDependencies(
              List.of(Dependency.of("io.quarkus", "quarkus-smallrye-jwt", Version.getVersion())));

  @TestHTTPResource("/")
  URI application;

  @ConfigProperty(name = "onceflow.dev-tokens.operator")
  String operator;

  @ConfigProperty(name = "onceflow.dev-tokens.customer")
  String customer;

  @Test
  void anOperatorIsKnownByName() throws Exception {
    assertThat(session("Authorization", "Bearer " + operator).toString())
        .isEqualTo(
            "{\"signedIn\":true,\"name\":\"olga\",\"roles\":[\"operator\"],\"csrf\":null,"
                + "\"method\":\"bearer\",\"signInUrl\":null,\"signOutUrl\":null}");
  }

  @Test
  void aCustomerHasNoRoleHere() throws Exception {
    JsonNode session = session("Authorization", "Bearer " + customer);

    assertThat(session.path("name").asText()).isEqualTo("alice");
    assertThat(session.path("roles")).isEmpty();
  }

  @Test
  void withoutATokenNobodyIsSignedIn() throws Exception {
    assertThat(session().path("signedIn").asBoolean(true)).isFalse();
  }

  private JsonNode session(String... headers) throws IOException, InterruptedException {
    HttpResponse<byte[]> session =
        new ConsoleRequests(application).get("/console/session", headers);
    assertThat(session.statusCode()).isEqualTo(200);
    assertThat(session.headers().firstValue("Cache-Control")).hasValue("no-store");
    return JSON.readTree(session.body());
  }
}
