package io.onceflow.quarkus.parked;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.audit.AuditEntry;
import io.onceflow.inbox.internal.audit.AuditLog;
import io.onceflow.inbox.internal.audit.AuditSubject;
import io.onceflow.internal.database.DatabaseTransaction;
import io.onceflow.quarkus.trip.TripApplication;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import jakarta.inject.Inject;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What operators did is shown, exported and checked in an application that has the extension. */
class AuditTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      TripApplication.on("payments")
          .overrideConfigKey("quarkus.http.test-port", "0")
          .withApplicationRoot(
              jar -> jar.addClasses(SignedIn.class, Requests.class, TripApplication.class));

  @TestHTTPResource("/")
  URI application;

  @Inject DataSource database;

  @Test
  void showsOperatorsWhatWasDoneToASaga() throws Exception {
    UUID saga = record("the customer called");

    JsonNode entry = read("/operator-audit?saga=" + saga, "operator").at("/entries/0");

    assertThat(entry.get("actor").asText()).isEqualTo("olga");
    assertThat(entry.get("action").asText()).isEqualTo("compensate");
    assertThat(entry.at("/subject/kind").asText()).isEqualTo("saga");
    assertThat(entry.at("/subject/id").asText()).isEqualTo(saga.toString());
    assertThat(entry.get("reason").asText()).isEqualTo("the customer called");
    assertThat(entry.get("hidden").asBoolean()).isFalse();
  }

  @Test
  void hidesFromViewersWhatMayNameACustomer() throws Exception {
    UUID saga = record("Alice called");

    JsonNode entry = read("/operator-audit?saga=" + saga, "viewer").at("/entries/0");

    assertThat(entry.get("actor").asText()).isEqualTo("olga");
    assertThat(entry.get("reason").isNull()).isTrue();
    assertThat(entry.get("detail").isNull()).isTrue();
    assertThat(entry.get("hidden").asBoolean()).isTrue();
    assertThat(status("/operator-audit/export", "viewer")).isEqualTo(403);
  }

  @Test
  void showsNobodyElseAnything() throws Exception {
    for (String path :
        List.of("/operator-audit", "/operator-audit/export", "/operator-audit/verification")) {
      assertThat(status(path, "customer")).as(path).isEqualTo(403);
      assertThat(status(path, null)).as(path).isEqualTo(401);
    }
  }

  @Test
  void goesOnAtTheNextPage() throws Exception {
    record("first");
    record("second");

    JsonNode newest = read("/operator-audit?limit=1", "operator");
    JsonNode next =
        read("/operator-audit?limit=1&cursor=" + newest.get("next").asText(), "operator");

    assertThat(newest.at("/entries/0/reason").asText()).isEqualTo("second");
    assertThat(next.at("/entries/0/reason").asText()).isEqualTo("first");
  }

  @Test
  void refusesAQueryThatMakesNoSense() throws Exception {
    for (String query : List.of("limit=501", "cursor=x", "actor=a%00b", "saga=%1$s&repair=%1$s")) {
      String path = "/operator-audit?" + query.replace("%1$s", UUID.randomUUID().toString());
      assertThat(status(path, "operator")).as(path).isEqualTo(400);
    }
  }

  /** By the formula of the reference alone, as an auditor would. */
  @Test
  void exportsTheLogWithAllThatItsHashesAreMadeOf() throws Exception {
    record("Wärmepumpe €");
    record(null);

    String export = new Requests(application).get("/operator-audit/export", "operator").body();

    String before = "0".repeat(64);
    for (String line : export.lines().toList()) {
      JsonNode entry = new ObjectMapper().readTree(line);
      assertThat(entry.get("previousHash").asText()).isEqualTo(before);
      before = hash(entry);
      assertThat(entry.get("hash").asText()).isEqualTo(before);
    }
    JsonNode checked = read("/operator-audit/verification", "viewer");
    assertThat(checked.get("intact").asBoolean()).isTrue();
    assertThat(checked.get("entries").asLong()).isEqualTo(export.lines().count());
    assertThat(checked.get("brokenAt").isNull()).isTrue();
    assertThat(checked.get("lastHash").asText()).isEqualTo(before);
  }

  private static String hash(JsonNode entry) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (String field :
        List.of(
            "/previousHash",
            "/seq",
            "/at",
            "/actor",
            "/action",
            "/subject/kind",
            "/subject/id",
            "/reason",
            "/detail")) {
      JsonNode value = entry.at(field);
      byte[] text = value.asText().getBytes(StandardCharsets.UTF_8);
      digest.update((value.isNull() ? "-" : text.length + ":").getBytes(StandardCharsets.US_ASCII));
      if (!value.isNull()) {
        digest.update(text);
      }
      digest.update((byte) ',');
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private UUID record(String reason) throws Exception {
    UUID saga = UUID.randomUUID();
    AuditEntry entry =
        new AuditEntry("olga", "compensate", AuditSubject.saga(saga), reason, "at step 2");
    DatabaseTransaction.call(
        database,
        tx -> {
          AuditLog.record(tx, entry);
          return true;
        });
    return saga;
  }

  private JsonNode read(String path, String role) throws Exception {
    return new ObjectMapper().readTree(new Requests(application).get(path, role).body());
  }

  private int status(String path, String role) throws Exception {
    return new Requests(application).get(path, role).statusCode();
  }
}
