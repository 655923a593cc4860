package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.internal.store.IdempotencyCleanup;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Garbage collection that falls behind is told to people, not to orchestrators. */
@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Tag("nightly")
class GarbageHealthTest extends GuardedThings {

  @Inject IdempotencyCleanup cleanup;

  @Test
  void isDownWhileARowStaysLongAfterItExpiredAndReadinessIsNot() throws Exception {
    cleanup.deleteExpired();
    assertThat(ask("well").statusCode()).isEqualTo(200);
    ada.post("/things", key, body);
    ORDERS.update(
        "UPDATE idempotency_record SET expires_at = now() - interval '16 min' WHERE key = ?", key);
    try (Connection other = ORDERS.begin();
        Statement lock = other.createStatement()) {
      lock.execute("SELECT FROM idempotency_record WHERE key = '%s' FOR UPDATE".formatted(key));
      cleanup.deleteExpired();
      assertThat(ask("well").statusCode()).isEqualTo(503);
      assertThat(ask("well").body())
          .contains("garbage-collection", "idempotency_record.warning", "has been due for 9");
      assertThat(ask("ready").statusCode()).isEqualTo(200);
      assertThat(ask("live").statusCode()).isEqualTo(200);
      other.rollback();
    }
    cleanup.deleteExpired();
    assertThat(ask("well").statusCode()).isEqualTo(200);
  }

  private HttpResponse<String> ask(String kind) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(server.resolve("/q/health/" + kind)).build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(request, BodyHandlers.ofString());
    }
  }
}
