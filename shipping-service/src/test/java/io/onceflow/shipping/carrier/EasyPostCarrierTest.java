package io.onceflow.shipping.carrier;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.StepKey;
import io.onceflow.easypostdouble.EasyPostDouble;
import io.onceflow.easypostdouble.EasyPostDouble.TrackerEvents;
import io.onceflow.launcher.servers.FreePorts;
import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.participant.CallKey;
import io.onceflow.shipping.domain.ArrangeReturn;
import io.onceflow.shipping.domain.ArrangeShipment;
import io.onceflow.shipping.domain.ArrangeShipment.Address;
import io.onceflow.shipping.domain.ArrangeShipment.Item;
import io.onceflow.shipping.domain.Carrier;
import io.onceflow.shipping.domain.Carrier.Outcome;
import io.onceflow.shipping.domain.RejectReason;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The service with {@code onceflow.carrier=easypost}: its bookings, and EasyPost's events. */
@QuarkusTest
@TestProfile(EasyPostCarrierTest.WithDouble.class)
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "shipping"))
@Tag("nightly")
class EasyPostCarrierTest {

  private static final String SECRET = "hook_new";
  private static final String EARLIER = "hook_old";
  private static final String PATH = "/webhooks/easypost";
  private static final SSLSocketFactory USUAL = HttpsURLConnection.getDefaultSSLSocketFactory();

  /** Its events are sent by the tests, so that they come twice, late or not at all. */
  private static EasyPostDouble easyPost;

  public static final class WithDouble implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.ofEntries(
          Map.entry("onceflow.carrier", "easypost"),
          Map.entry("onceflow.easypost.url", "https://localhost:" + FreePorts.next()),
          Map.entry("onceflow.easypost.api-key", "EZTK_double"),
          Map.entry("onceflow.easypost.sender.name", "Onceflow Books"),
          Map.entry("onceflow.easypost.sender.street", "417 Montgomery Street"),
          Map.entry("onceflow.easypost.sender.city", "San Francisco"),
          Map.entry("onceflow.easypost.sender.zip", "94104"),
          Map.entry("onceflow.easypost.sender.country", "US"),
          Map.entry("onceflow.easypost.webhook-secrets", SECRET + "," + EARLIER));
    }
  }

  @TestHTTPResource(value = "/metrics", management = true)
  URI metrics;

  @ConfigProperty(name = "onceflow.easypost.url")
  URI url;

  @Inject Carrier carrier;

  @Inject DataSource database;

  private final UUID order = OutboxMessage.newId();
  private final String event = "evt_" + UUID.randomUUID();

  /** Here, since the profile belongs to another class loader than the tests. */
  @BeforeEach
  void startTheDouble() throws IOException {
    if (easyPost == null) {
      easyPost =
          EasyPostDouble.start(
              url.getPort(), Files.createTempDirectory("easypost"), TrackerEvents.NONE);
      HttpsURLConnection.setDefaultSSLSocketFactory(easyPost.trusting().getSocketFactory());
    }
  }

  @AfterAll
  static void stop() {
    easyPost.close();
    HttpsURLConnection.setDefaultSSLSocketFactory(USUAL);
  }

  @Test
  void aBookingIsALabelAndACancellationItsRefund() throws Exception {
    CallKey key = key("arrange-shipment");
    Outcome booked = carrier.book(key, ship("SW1Y 4JH", "GB"));
    Map<String, Object> label = easyPost.shipments(key.value()).get(0);
    String number = String.valueOf(label.get("tracking_code"));

    assertThat(booked).isEqualTo(new Outcome.Booked(number));
    carrier.cancel(Carrier.cancellationOf(key), order, number);
    assertThat(easyPost.refunds(String.valueOf(label.get("id")))).hasSize(1);
    assertThat(carrier.annul(key, order)).contains(number);
    assertThat(easyPost.refunds(String.valueOf(label.get("id")))).hasSize(1);
    assertThat(carrier.book(key, ship("SW1Y 4JH", "GB")))
        .isEqualTo(new Outcome.Refused(RejectReason.CANCELLED));
  }

  /** Before, an exception: the call was repeated for ever, and opened the circuit of all. */
  @Test
  void aRefundThatIsRejectedIsARefusalUntilItIsResolved() throws Exception {
    CallKey key = key("arrange-shipment");
    carrier.book(key, ship("SIM-REFUND-REJECTED", "GB"));
    Map<String, Object> label = easyPost.shipments(key.value()).get(0);
    String number = String.valueOf(label.get("tracking_code"));
    CallKey cancellation = Carrier.cancellationOf(key);

    assertThatThrownBy(() -> carrier.cancel(cancellation, order, number))
        .asInstanceOf(type(Carrier.CancellationRefused.class))
        .extracting(Carrier.CancellationRefused::code)
        .isEqualTo("rejected");
    assertThatThrownBy(() -> carrier.annul(key, order))
        .isInstanceOf(Carrier.CancellationRefused.class);

    RequestSpecification asOlga = given().auth().oauth2(token("olga", "operator"));
    asOlga
        .queryParam("reference", order)
        .get("/easypost/refunds")
        .then()
        .body("[0].failure", equalTo("rejected"))
        .body("[0].shipment", equalTo(label.get("id")))
        .body("[0].resolved", equalTo(false));
    decide(label, "retry").statusCode(409);
    decide(label, "resolve").statusCode(204);
    decide(label, "retry").statusCode(409);
    carrier.cancel(cancellation, order, number);
  }

  private static ValidatableResponse decide(Map<String, Object> label, String what) {
    return given()
        .auth()
        .oauth2(token("olga", "operator"))
        .contentType("application/json")
        .body("{\"reason\": \"seen in a test\"}")
        .post("/easypost/refunds/%s/%s".formatted(label.get("id"), what))
        .then();
  }

  @Test
  void aReturnIsALabelTheOtherWayRound() throws Exception {
    CallKey key = key("arrange-return");

    assertThat(carrier.fetch(key, fetch("SW1Y 4JH"))).isInstanceOf(Outcome.Booked.class);
    assertThat(easyPost.shipments(key.value()))
        .singleElement()
        .extracting(it -> it.get("is_return"))
        .isEqualTo(true);
  }

  @Test
  void whatEasyPostRefusesIsRejected() throws Exception {
    assertThat(carrier.book(key("arrange-shipment"), ship("SW1Y 4JH", "AQ")))
        .isEqualTo(new Outcome.Refused(RejectReason.COUNTRY_NOT_SERVED));
    assertThat(carrier.book(key("arrange-shipment"), ship("SIM-BAD-ADDRESS", "GB")))
        .isEqualTo(new Outcome.Refused(RejectReason.ADDRESS_INVALID));
    assertThat(carrier.fetch(key("arrange-return"), fetch("SIM-NO-RETURNS")))
        .isEqualTo(new Outcome.Refused(RejectReason.RETURNS_NOT_SERVED));
  }

  @Test
  void keepsAnEventOnce() throws Exception {
    String body = tracker(event, "in_transit", "2026-11-25T10:00:00Z", "EZ-unknown-" + event);
    send(body, SECRET).statusCode(204);
    send(body, SECRET).statusCode(204);
    send(body, EARLIER).statusCode(204);

    assertThat(kept()).containsExactly("tracker.updated in_transit false");
    given()
        .get(metrics)
        .then()
        .body(
            containsString(
                "onceflow_easypost_events_total{known=\"false\",type=\"tracker.updated\"}"));
  }

  @Test
  void tellsTheNewestStatusInWhateverOrderEventsCome() throws Exception {
    String number = "EZ-" + event;
    send(tracker(event, "delivered", "2026-11-25T12:00:00Z", number), SECRET).statusCode(204);
    send(tracker(event + "-b", "in_transit", "2026-11-25T11:00:00Z", number), SECRET)
        .statusCode(204);

    assertThat(carrier.tracking(number)).contains("delivered");
    assertThat(carrier.tracking("EZ-never-told")).isEmpty();
  }

  @Test
  void knowsTheLabelsThatItBought() throws Exception {
    CallKey key = key("arrange-shipment");
    String number = ((Outcome.Booked) carrier.book(key, ship("SW1Y 4JH", "GB"))).trackingNumber();

    send(tracker(event, "pre_transit", "2026-11-25T10:00:00Z", number), SECRET).statusCode(204);

    assertThat(kept()).containsExactly("tracker.updated pre_transit true");
  }

  @Test
  void refusesWhatEasyPostDidNotSign() throws Exception {
    String body = tracker(event, "delivered", "2026-11-25T10:00:00Z", "EZ1");

    problem(send(body, "hook_other"), 400);
    problem(given().contentType("application/json").body(body).post(PATH).then(), 400);
    problem(
        given()
            .contentType("application/json")
            .header("X-Hmac-Signature", signature(body, SECRET))
            .body(body.replace("delivered", "failure"))
            .post(PATH)
            .then(),
        400);
    assertThat(kept()).isEmpty();
  }

  @Test
  void acknowledgesWhatIsNoEvent() throws Exception {
    for (String body :
        List.of("[]", "{}", "no JSON", "{\"id\": 5}", tracker(event, "a", "yesterday", "EZ1"))) {
      send(body, SECRET).statusCode(204);
    }
    problem(send(" ".repeat(300 * 1024), SECRET), 413);
    assertThat(kept()).isEmpty();
  }

  private static void problem(ValidatableResponse response, int status) {
    response
        .statusCode(status)
        .contentType("application/problem+json")
        .body("status", equalTo(status));
  }

  private static ValidatableResponse send(String body, String secret) throws Exception {
    return given()
        .contentType("application/json")
        .header("X-Hmac-Signature", signature(body, secret))
        .body(body)
        .post(PATH)
        .then();
  }

  private static String signature(String body, String secret) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    byte[] digest = mac.doFinal(body.getBytes(StandardCharsets.UTF_8));
    return "hmac-sha256-hex=" + HexFormat.of().formatHex(digest);
  }

  private static String tracker(String id, String status, String at, String number) {
    return """
    {"id": "%s", "object": "Event", "description": "tracker.updated", "created_at": "%s",
     "result": {"id": "trk_%s", "object": "Tracker", "status": "%s", "tracking_code": "%s",
       "shipment_id": "shp_%s", "updated_at": "%s"}}
    """
        .formatted(id, at, id, status, number, id, at);
  }

  private CallKey key(String step) {
    return new CallKey(
        "alice", new StepKey(new IdempotencyKey(UUID.randomUUID().toString()), step));
  }

  private ArrangeShipment ship(String postalCode, String country) {
    return new ArrangeShipment(
        order, List.of(new Item("BOOK-42", 1)), address(postalCode, country));
  }

  private ArrangeReturn fetch(String postalCode) {
    return new ArrangeReturn(
        OutboxMessage.newId(), order, List.of(new Item("BOOK-42", 1)), address(postalCode, "GB"));
  }

  private static Address address(String postalCode, String country) {
    return new Address("Ada Lovelace", "12 St James's Square", "London", postalCode, country);
  }

  private List<String> kept() throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT description, status, known FROM easypost_event WHERE id = ?")) {
      select.setString(1, event);
      try (ResultSet rows = select.executeQuery()) {
        List<String> found = new ArrayList<>();
        while (rows.next()) {
          found.add("%s %s %s".formatted(rows.getString(1), rows.getString(2), rows.getBoolean(3)));
        }
        return found;
      }
    }
  }
}
