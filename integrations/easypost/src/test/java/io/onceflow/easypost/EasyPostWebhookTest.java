package io.onceflow.easypost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.participant.CallKey;
import io.onceflow.sql.Sql;
import io.onceflow.test.TestPostgres;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.NotFoundException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which of EasyPost's events are kept, and what is kept of them. */
class EasyPostWebhookTest {

  private static final DataSource DATABASE =
      TestPostgres.database("easypost_events", "db/onceflow/easypost");

  private static final String SECRET = "hook_new";
  private static final String EARLIER = "hook_old";

  private final EasyPostConfig config = TestEasyPostConfig.of("https://localhost:1");
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final EasyPostEvents events = new EasyPostEvents(DATABASE);
  private final EasyPostWebhookResource webhook =
      webhook(
          TestEasyPostConfig.of(config.url(), Map.of("webhook-secrets", SECRET + "," + EARLIER)));

  private final String event = "evt_" + UUID.randomUUID();
  private final String shipment = "shp_" + UUID.randomUUID();
  private final String code = "EZ-" + UUID.randomUUID();

  private EasyPostWebhookResource webhook(EasyPostConfig with) {
    return new EasyPostWebhookResource(with, events, new ObjectMapper(), metrics);
  }

  @Test
  void keepsAnEventOnceUnderEitherSecret() throws Exception {
    send(tracker(event, "in_transit", "10:00"), SECRET);
    send(tracker(event, "in_transit", "10:00"), SECRET);
    send(tracker(event, "in_transit", "10:00"), EARLIER);

    assertThat(kept()).containsExactly("tracker.updated in_transit false");
    assertThat(counted(false)).isEqualTo(1);
  }

  /** A list has blanks after its commas, and a file has a line break at its end. */
  @ParameterizedTest
  @ValueSource(strings = {EARLIER, " " + EARLIER + "\n"})
  void takesAnEventThoughTheSecretHasBlanksAround(String signedBy) throws Exception {
    byte[] body = utf8(tracker(event, "in_transit", "10:00"));
    String secrets = SECRET + ", " + EARLIER + "\n";

    webhook(TestEasyPostConfig.of(config.url(), Map.of("webhook-secrets", secrets)))
        .take(signature(body, signedBy), body);

    assertThat(kept()).hasSize(1);
  }

  @Test
  void keepsWhatIsAboutNothingKnownHereAndSaysSo() throws Exception {
    send(tracker(event, "in_transit", "10:00"), SECRET);

    assertThat(kept()).containsExactly("tracker.updated in_transit false");
    assertThat(counted(false)).isEqualTo(1);
    assertThat(counted(true)).isZero();
  }

  @Test
  void knowsAShipmentThatIsBeingBought() throws Exception {
    CallKey key = TestEasyPost.newKey();
    EasyPostRequests requests = new EasyPostRequests(DATABASE);
    requests.ask(key, "order-1", Duration.ofMinutes(1));
    requests.choose(key, shipment);

    send(tracker(event, "pre_transit", "10:00"), SECRET);

    assertThat(kept()).containsExactly("tracker.updated pre_transit true");
    assertThat(counted(true)).isEqualTo(1);
  }

  @Test
  void tellsTheLatestStatusByTheTimeOfTheChange() throws Exception {
    send(tracker(event, "delivered", "12:00"), SECRET);
    send(tracker(event + "-late", "in_transit", "11:00"), SECRET);

    assertThat(events.status(code)).contains("delivered");
  }

  @Test
  void keepsNothingThatIsNotSigned() throws Exception {
    byte[] body = utf8(tracker(event, "delivered", "10:00"));
    byte[] other = utf8(tracker(event, "failure", "10:00"));

    assertThatThrownBy(() -> webhook.take(null, body)).isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> webhook.take(signature(body, "hook_other"), body))
        .isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> webhook.take(signature(other, SECRET), body))
        .isInstanceOf(BadRequestException.class);
    assertThat(kept()).isEmpty();
  }

  /** Before, each was answered 400, after which EasyPost disables the webhook. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "no JSON",
        "[]",
        "{}",
        "{\"id\": 5, \"description\": \"payment.created\", \"created_at\": \"2026-11-25T10:00:00Z\"}",
        "{\"id\": \"evt_1\", \"description\": \"payment.created\"}",
        "{\"id\": \"evt_1\", \"description\": \"a\", \"created_at\": \"+999999999-11-25T10:00:00Z\"}",
        "{\"id\": \"evt_\\u0000\", \"description\": \"a\", \"created_at\": \"2026-11-25T10:00:00Z\"}"
      })
  void acknowledgesWhatCannotBeKept(String body) throws Exception {
    send(body, SECRET);

    assertThat(kept()).isEmpty();
    assertThat(counted("other", false)).isEqualTo(1);
  }

  /** An index takes no text as long. */
  @Test
  void acknowledgesALongId() throws Exception {
    send(tracker("evt_" + "x".repeat(40_000), "in_transit", "10:00"), SECRET);

    assertThat(counted("other", false)).isEqualTo(1);
  }

  /** Such as a payment to EasyPost, a report or a scan form: an endpoint is sent all of them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"object\": \"PaymentLog\"}",
        "{\"id\": 5, \"object\": \"Report\"}",
        "{\"id\": \"sf_\\u0000\", \"object\": \"ScanForm\", \"updated_at\": \"yesterday\"}",
        "null",
        "[]"
      })
  void keepsAnEventOfAnotherKindAsUnknown(String result) throws Exception {
    send(
        """
        {"id": "%s", "object": "Event", "description": "payment.created",
         "created_at": "2026-11-25T10:00:00Z", "result": %s}
        """
            .formatted(event, result),
        SECRET);

    assertThat(kept()).containsExactly("payment.created null false");
    assertThat(counted("other", false)).isEqualTo(1);
  }

  @Test
  void takesNothingWithoutASecret() throws Exception {
    byte[] body = utf8(tracker(event, "delivered", "10:00"));

    assertThatThrownBy(() -> webhook(config).take(signature(body, SECRET), body))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("onceflow.easypost.webhook-secrets");
    assertThat(kept()).isEmpty();
  }

  private void send(String body, String secret) throws GeneralSecurityException {
    webhook.take(signature(utf8(body), secret), utf8(body));
  }

  private String tracker(String id, String status, String at) {
    return """
    {"id": "%s", "object": "Event", "description": "tracker.updated",
     "created_at": "2026-11-25T%s:00Z",
     "result": {"id": "trk_1", "object": "Tracker", "status": "%s", "tracking_code": "%s",
       "shipment_id": "%s", "updated_at": "2026-11-25T%s:00Z"}}
    """
        .formatted(id, at, status, code, shipment, at);
  }

  private static String signature(byte[] body, String secret) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(utf8(secret), "HmacSHA256"));
    return "hmac-sha256-hex=" + HexFormat.of().formatHex(mac.doFinal(body));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private double counted(boolean known) {
    return counted("tracker.updated", known);
  }

  private double counted(String type, boolean known) {
    return metrics
        .counter("onceflow.easypost.events", "type", type, "known", String.valueOf(known))
        .count();
  }

  private List<String> kept() throws SQLException {
    try (Connection connection = DATABASE.getConnection()) {
      return Sql.query(
          connection,
          "SELECT description, status, known FROM easypost_event WHERE id = ?",
          row ->
              "%s %s %s".formatted(row.text("description"), row.text("status"), row.truth("known")),
          event);
    }
  }
}
