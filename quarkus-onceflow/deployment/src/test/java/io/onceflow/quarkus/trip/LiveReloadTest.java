package io.onceflow.quarkus.trip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.launcher.testing.TestServers;
import io.quarkus.test.QuarkusDevModeTest;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** In development mode, a message is handled by the code as it is in the editor. */
@Tag("nightly")
class LiveReloadTest {

  private static final Duration SOON = Duration.ofSeconds(30);

  @RegisterExtension
  static final QuarkusDevModeTest APPLICATION =
      new QuarkusDevModeTest()
          .withApplicationRoot(
              jar ->
                  jar.addClasses(Airline.class, Flights.class, Messages.class)
                      .addAsResource(new StringAsset(settings()), "application.properties"));

  @Test
  void handlesTheNextMessageByTheChangedCode() throws Exception {
    assertThat(reserve()).contains("\"reference\":\"seat-");

    APPLICATION.modifySourceFile(
        Airline.class, source -> source.replace("\"seat-\"", "\"place-\""));
    assertThat(reserve()).contains("\"reference\":\"place-");

    APPLICATION.modifySourceFile(
        Airline.class, source -> source.replace("\"place-\"", "\"berth-\""));
    assertThat(reserve()).contains("\"reference\":\"berth-");
    await().atMost(SOON).untilAsserted(() -> assertThat(threads()).doesNotHaveDuplicates());
  }

  /** Threads of the applications that have been replaced would be there twice. */
  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> Stream.of("intake-", "outbox-", "inbox-").anyMatch(name::startsWith))
        .toList();
  }

  /** By a saga of its own, so that no earlier answer is given again. */
  private static String reserve() throws Exception {
    try (Orchestrator saga = new Orchestrator()) {
      String command = "{\"tripId\":\"%s\",\"flight\":\"OF 1\"}".formatted(UUID.randomUUID());
      assertThat(saga.ask("ReserveFlight", "flight.reserve", command))
          .isEqualTo("FlightReserved done");
      return saga.lastBody();
    }
  }

  private static String settings() {
    TestServers servers = TestServers.shared();
    return """
        quarkus.application.name=reloaded
        quarkus.devservices.enabled=false
        quarkus.http.port=0
        quarkus.datasource.jdbc.url=%s
        quarkus.datasource.username=%s
        quarkus.datasource.password=%s
        rabbitmq-host=%s
        rabbitmq-port=%d
        rabbitmq-username=%s
        rabbitmq-password=%s
        """
        .formatted(
            servers.jdbcUrl("shipping"),
            servers.user("shipping"),
            servers.password(),
            servers.brokerHost(),
            servers.brokerPort(),
            servers.brokerUser(),
            servers.password());
  }
}
