package io.onceflow.quarkus.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.quarkus.parked.SignedIn;
import io.onceflow.quarkus.trip.TripApplication;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.logging.Level;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Callers authenticate in this application, but its guarded operation is public. Seen red: it
 * answered 401, and nothing told its developer what to do.
 */
@Tag("nightly")
class PublicGuardedOperationTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      TripApplication.on("payments")
          .overrideConfigKey("quarkus.http.test-port", "0")
          .setLogRecordPredicate(it -> it.getLevel().intValue() >= Level.WARNING.intValue())
          .assertLogRecords(
              logged ->
                  assertThat(logged)
                      .filteredOn(it -> it.getMessage().contains("io.onceflow.core.ScopeResolver"))
                      .singleElement()
                      .satisfies(
                          it ->
                              assertThat(it.getMessage())
                                  .contains(
                                      "GuardedNotes.write is @Idempotent and public",
                                      "annotate it with @Authenticated or @RolesAllowed")))
          .withApplicationRoot(
              jar -> jar.addClasses(GuardedNotes.class, SignedIn.class, TripApplication.class));

  @TestHTTPResource("/guarded-notes")
  URI notes;

  @Test
  void saysOnceWhatItLacks() throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      assertThat(write(http, HttpRequest.newBuilder(notes))).isEqualTo(401);
      assertThat(write(http, HttpRequest.newBuilder(notes))).isEqualTo(401);
      assertThat(write(http, HttpRequest.newBuilder(notes).header("X-Role", "customer")))
          .isEqualTo(200);
    }
  }

  private static int write(HttpClient http, HttpRequest.Builder request) throws Exception {
    return http.send(
            request.header("Idempotency-Key", "\"public\"").POST(BodyPublishers.noBody()).build(),
            BodyHandlers.ofString())
        .statusCode();
  }
}
