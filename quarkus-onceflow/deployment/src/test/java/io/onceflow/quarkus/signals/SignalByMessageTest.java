package io.onceflow.quarkus.signals;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.launcher.testing.TestServers;
import io.onceflow.quarkus.trip.Orchestrator;
import io.onceflow.quarkus.trip.TripApplication;
import io.onceflow.saga.Sagas;
import io.onceflow.saga.Sagas.SagaStart;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.util.Map;
import java.util.UUID;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The guide's handler: another application's message over the broker moves a saga, once. */
@Tag("nightly")
class SignalByMessageTest {

  private static final String DATABASE = "tenancies";

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      TripApplication.on(DATABASE)
          .setBeforeAllCustomizer(() -> TestServers.shared().createDatabase(DATABASE))
          .overrideConfigKey("quarkus.http.test-port", "0")
          .withApplicationRoot(
              jar ->
                  jar.addPackage(SignalByMessageTest.class.getPackage())
                      .addClasses(Orchestrator.class, TripApplication.class)
                      .addAsResource(
                          new StringAsset(
                              """
                              CREATE TABLE tenancy (
                                id uuid PRIMARY KEY, signed_by text, status text
                              );
                              """),
                          "db/migration/V1__create_tenancy.sql"));

  @Inject Sagas sagas;
  @Inject EntityManager entities;

  @Test
  void movesTheSagaOnceHoweverOftenItIsSent() throws Exception {
    UUID id = UUID.randomUUID();
    Tenancy tenancy = new Tenancy();
    tenancy.id = id;
    IdempotencyKey key = new IdempotencyKey(id.toString());
    QuarkusTransaction.requiringNew()
        .run(() -> sagas.start(LetFlat.class, new SagaStart<>(tenancy, "ada", key, null)));
    String signed =
        "{\"tenancyId\": \"%s\", \"contractId\": \"%s\", \"by\": \"ada\"}"
            .formatted(id, UUID.randomUUID());

    for (int delivery = 1; delivery <= 2; delivery++) {
      // Another one, as after a restart of its sender that has lost what it sent.
      try (Orchestrator sender = new Orchestrator(Map.of())) {
        assertThat(sender.ask("ContractWasSigned", "contract.signed", signed))
            .isEqualTo("StepDone done");
      }
    }

    assertThat(
            QuarkusTransaction.requiringNew().call(() -> entities.find(Tenancy.class, id).status))
        .isEqualTo("LET TO ada");
  }
}
