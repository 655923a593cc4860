package io.onceflow.quarkus.trip;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.launcher.servers.FreePorts;
import io.quarkus.test.QuarkusDevModeTest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code quarkus:dev} of an application that names no servers, on the default transport. */
@Tag("nightly")
class DevelopmentModeTest {

  private static final int PORT = FreePorts.next();

  @RegisterExtension
  static final QuarkusDevModeTest APPLICATION =
      new QuarkusDevModeTest()
          .withApplicationRoot(
              jar ->
                  jar.addClasses(Airline.class, Flights.class, Messages.class)
                      .addAsResource(
                          new StringAsset(
                              """
                              quarkus.application.name=in-development
                              quarkus.http.port=%d
                              quarkus.management.enabled=false
                              onceflow.devservices.containers=false
                              quarkus.datasource.devservices.enabled=false
                              quarkus.keycloak.devservices.enabled=false
                              """
                                  .formatted(PORT)),
                          "application.properties"));

  /** Seen red: "the broker's RABBITMQ_HOST, … are not set", and the process ended. */
  @Test
  void startsWithTheServersOfDevServices() throws Exception {
    URI ready = URI.create("http://localhost:%s/q/health/ready".formatted(PORT));
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(ready).build();
      assertThat(http.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }
  }
}
