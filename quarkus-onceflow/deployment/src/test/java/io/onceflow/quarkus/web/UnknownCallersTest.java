package io.onceflow.quarkus.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.quarkus.trip.TripApplication;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.logging.Level;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * An application that guards operations and has no authentication says at start what it lacks. Seen
 * red: Quarkus has a provider of identities and a mechanism even where nothing is set up.
 */
@Tag("nightly")
class UnknownCallersTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      TripApplication.on("payments")
          .overrideConfigKey("quarkus.http.test-port", "0")
          .setLogRecordPredicate(it -> it.getLevel().intValue() >= Level.WARNING.intValue())
          .assertLogRecords(
              logged ->
                  assertThat(logged)
                      .anySatisfy(
                          it ->
                              assertThat(it.getMessage())
                                  .contains("Operations [write-note]", "ScopeResolver")))
          .withApplicationRoot(jar -> jar.addClasses(GuardedNotes.class, TripApplication.class));

  @TestHTTPResource("/guarded-notes")
  URI notes;

  @Test
  void refusesEachRequest() throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> refused =
          http.send(
              HttpRequest.newBuilder(notes)
                  .header("Idempotency-Key", "\"a\"")
                  .POST(BodyPublishers.noBody())
                  .build(),
              BodyHandlers.ofString());
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(401);
    }
  }
}
