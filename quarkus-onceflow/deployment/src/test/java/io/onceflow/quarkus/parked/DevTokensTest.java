package io.onceflow.quarkus.parked;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.quarkus.trip.TripApplication;
import io.quarkus.builder.Version;
import io.quarkus.maven.dependency.Dependency;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application with {@code quarkus-smallrye-jwt} and no key accepts the tokens it is given. */
@Tag("nightly")
class DevTokensTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      TripApplication.on("payments")
          .overrideConfigKey("quarkus.http.test-port", "0")
          .overrideConfigKey("mp.jwt.verify.audiences", "trips")
          .setForcedDependencies(
              List.of(Dependency.of("io.quarkus", "quarkus-smallrye-jwt", Version.getVersion())))
          .withApplicationRoot(jar -> jar.addClasses(TripApplication.class));

  @TestHTTPResource("/parked-messages")
  URI parkedMessages;

  @ConfigProperty(name = "onceflow.dev-tokens.customer")
  String customer;

  @ConfigProperty(name = "onceflow.dev-tokens.operator")
  String operator;

  @Test
  void anOperatorsTokenOpensTheOperatorsResources() throws Exception {
    assertThat(statusWith(operator)).isEqualTo(200);
  }

  @Test
  void aCustomersTokenDoesNot() throws Exception {
    assertThat(statusWith(customer)).isEqualTo(403);
  }

  @Test
  void anotherTokenIsRefused() throws Exception {
    assertThat(statusWith(operator.substring(0, operator.length() - 8))).isEqualTo(401);
  }

  private int statusWith(String token) throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest get =
          HttpRequest.newBuilder(parkedMessages).header("Authorization", "Bearer " + token).build();
      return http.send(get, BodyHandlers.discarding()).statusCode();
    }
  }
}
