package io.onceflow.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.stripe.net.Webhook;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.participant.PendingSteps;
import io.onceflow.sql.Sql;
import io.onceflow.test.TestPostgres;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.ClientErrorException;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.ServiceUnavailableException;
import java.security.GeneralSecurityException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which of Stripe's events are taken. */
class StripeWebhookResourceTest {

  private static final DataSource DATABASE =
      TestPostgres.database("stripe_webhook", "db/onceflow/stripe");

  private static final String SECRET = "whsec_new";
  private static final String EARLIER = "whsec_old";

  private static final String TAKE =
      """
      INSERT INTO stripe_event (id, type, object_id, created_at, known)
      VALUES (?, 'charge.refunded', 'ch_1', now(), false)
      """;

  private static final String WAITING =
      """
      SELECT count(*) AS waiting
      FROM   pg_stat_activity
      WHERE  datname = current_database()
      AND    wait_event_type = 'Lock'
      """;

  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final StripeConfig config =
      TestStripeConfig.of(
          Map.of(
              "url",
              "http://localhost:1",
              "webhook-secrets",
              SECRET + "," + EARLIER,
              "webhook-concurrency",
              "1"));
  private final StripeWebhookResource webhook = webhook(config);
  private final String event = "evt_" + UUID.randomUUID();

  private StripeWebhookResource webhook(StripeConfig with) {
    return new StripeWebhookResource(
        with, new StripeEvents(DATABASE, new PendingSteps(DATABASE)), new ObjectMapper(), metrics);
  }

  @Test
  void takesAnEventOnceUnderEitherSecret() throws Exception {
    webhook.receive(signature(body(event), SECRET, now()), body(event));
    webhook.receive(signature(body(event), SECRET, now()), body(event));
    webhook.receive(signature(body(event), EARLIER, now()), body(event));

    assertThat(isKept(event)).isTrue();
    assertThat(counted()).isEqualTo(1);
  }

  /** A list has blanks after its commas, and a file has a line break at its end. */
  @Test
  void takesAnEventThoughTheSecretHasBlanksAround() throws Exception {
    String secrets = SECRET + ", " + EARLIER + "\n";
    StripeWebhookResource spaced =
        webhook(
            TestStripeConfig.of(Map.of("url", "http://localhost:1", "webhook-secrets", secrets)));

    spaced.receive(signature(body(event), EARLIER, now()), body(event));

    assertThat(isKept(event)).isTrue();
  }

  /** While a secret is rolled, Stripe signs with both. */
  @Test
  void takesAnyOfSeveralSignatures() throws Exception {
    String one = signature(body(event), "whsec_other", now());
    String two = signature(body(event), SECRET, now());

    webhook.receive(one + two.substring(two.indexOf(",v1=")), body(event));

    assertThat(isKept(event)).isTrue();
  }

  @Test
  void refusesWhatStripeDidNotSign() throws Exception {
    refuses(null);
    refuses("rubbish");
    refuses(signature(body(event), "whsec_other", now()));
    refuses(signature(body("evt_other"), SECRET, now()));
    assertThat(isKept(event)).isFalse();
  }

  /** Anybody may send them: none is an error of the service. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",",
        "t",
        "t=",
        "t=now,v1=00",
        "t=99999999999999999999,v1=00",
        "t=1767322800,v1",
        "v1=00"
      })
  void refusesAMalformedSignature(String signature) throws Exception {
    refuses(signature);
    assertThat(isKept(event)).isFalse();
  }

  @Test
  void refusesWhatWasSignedLongAgo() throws Exception {
    long tolerance = config.webhookTolerance().toSeconds();

    refuses(signature(body(event), SECRET, now() - tolerance - 60));
    assertThat(isKept(event)).isFalse();

    webhook.receive(signature(body(event), SECRET, now() - tolerance + 60), body(event));
    assertThat(isKept(event)).isTrue();
  }

  /** Seen red: the library takes zero seconds for no bound, and a signature of any age passed. */
  @ParameterizedTest
  @ValueSource(strings = {"PT0.5S", "PT0S", "PT-1S"})
  void refusesWhatIsOldAlsoWhereTheToleranceIsLessThanASecond(String tolerance) throws Exception {
    StripeWebhookResource strict =
        webhook(
            TestStripeConfig.of(
                Map.of(
                    "url",
                    "http://localhost:1",
                    "webhook-secrets",
                    SECRET,
                    "webhook-tolerance",
                    tolerance)));
    String old = signature(body(event), SECRET, now() - 60);

    assertThatThrownBy(() -> strict.receive(old, body(event)))
        .isInstanceOf(BadRequestException.class);
    strict.receive(signature(body(event), SECRET, now()), body(event));
  }

  private void refuses(@Nullable String signature) {
    assertThatThrownBy(() -> webhook.receive(signature, body(event)))
        .isInstanceOf(BadRequestException.class);
  }

  /** Signed, so it is Stripe's: an endpoint that refuses it is disabled. */
  @ParameterizedTest
  @CsvSource({
    "1767322800, 1767322800.5",
    "1767322800, 31556889864403199",
    "1767322800, -31557014167219200",
    "1767322800, 99999999999999999999",
    "1767322800, null",
    "1767322800, '\"today\"'",
    "1767322800, '\"2026-01-02T03:00:00Z\"'",
    "EVENT, EVENT\\u0000"
  })
  void acknowledgesWhatCannotBeKept(String usual, String other) throws Exception {
    String body = body(event).replace(usual.replace("EVENT", event), other.replace("EVENT", event));
    assertThat(body).isNotEqualTo(body(event));

    webhook.receive(signature(body, SECRET, now()), body);

    assertThat(isKept(event)).isFalse();
  }

  /** A balance has no id; an invoice that is upcoming has none; metadata may hold a NUL. */
  @ParameterizedTest
  @CsvSource({
    "'\"id\": \"pi_1\", ', ''",
    "pi_1, pi_\\u0000",
    "'\"succeeded\"}', '\"succeeded\\u0000\"}'",
    "'\"status\"', '\"metadata\": {\"onceflow_key\": \"a\\u0000\"}, \"status\"'"
  })
  void keepsAnEventWithoutWhatCannotBeKeptOfIt(String usual, String other) throws Exception {
    String body = body(event).replace(usual, other);
    assertThat(body).isNotEqualTo(body(event));

    webhook.receive(signature(body, SECRET, now()), body);

    assertThat(isKept(event)).isTrue();
  }

  /** Longer than an index takes. */
  @Test
  void acknowledgesALongId() throws Exception {
    String body = body(random(20_000));

    webhook.receive(signature(body, SECRET, now()), body);
  }

  @Test
  void refusesWhatWasSignedInTheFuture() throws Exception {
    refuses(signature(body(event), SECRET, now() + 86_400));
    assertThat(isKept(event)).isFalse();
  }

  /** The test key of this service charges nothing in live mode, and nothing by another account. */
  @ParameterizedTest
  @CsvSource({
    "'', payment_intent, false, pi_1",
    "'\"livemode\": false,', payment_intent, false, pi_1",
    "'\"livemode\": true,', payment_intent, true, pi_1",
    "'\"account\": \"acct_2\",', payment_intent, true, pi_1"
  })
  void tellsWhatHappenedElsewhere(String field, String object, boolean elsewhere, String intent) {
    String body = body(event).replaceFirst("\\{", "{" + field);

    assertThat(StripeEvent.read(new ObjectMapper(), body, false))
        .hasValueSatisfying(
            it -> {
              assertThat(it.isElsewhere()).isEqualTo(elsewhere);
              assertThat(it.intentId()).isEqualTo(intent);
            });
  }

  @Test
  void readsThePaymentIntentOfADisputeAlsoWhereItIsExpanded() {
    String dispute =
        """
        {"id": "evt_1", "type": "charge.dispute.created", "created": 1767322800,
         "data": {"object": {"id": "dp_1", "object": "dispute", "payment_intent": {"id": "pi_7"}}}}
        """;

    assertThat(StripeEvent.read(new ObjectMapper(), dispute, null))
        .hasValueSatisfying(it -> assertThat(it.intentId()).isEqualTo("pi_7"));
  }

  private static String random(int length) {
    return IntStream.range(0, length / 32 + 1)
        .mapToObj(i -> UUID.randomUUID().toString().replace("-", ""))
        .collect(Collectors.joining());
  }

  @Test
  void refusesABodyThatIsTooLarge() throws Exception {
    String large = body(event) + " ".repeat(256 * 1024);

    assertThatThrownBy(() -> webhook.receive(signature(large, SECRET, now()), large))
        .isInstanceOfSatisfying(
            ClientErrorException.class,
            it -> assertThat(it.getResponse().getStatus()).isEqualTo(413));
    assertThat(isKept(event)).isFalse();
  }

  @Test
  void takesNothingWithoutASecret() throws Exception {
    StripeWebhookResource without = webhook(TestStripeConfig.of("http://localhost:1"));

    assertThatThrownBy(() -> without.receive(signature(body(event), SECRET, now()), body(event)))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("onceflow.stripe.webhook-secrets");
    assertThat(isKept(event)).isFalse();
  }

  /** The first one waits in the database, and has the only place. */
  @Test
  void refusesForTheMomentWhatItHasNoPlaceFor() throws Exception {
    String other = "evt_" + UUID.randomUUID();
    FutureTask<Void> first = new FutureTask<>(() -> send(event), null);
    try (Connection connection = DATABASE.getConnection()) {
      connection.setAutoCommit(false);
      Sql.update(connection, TAKE, event);
      Thread.ofVirtual().start(first);
      Awaitility.await().until(StripeWebhookResourceTest::isOneWaiting);

      assertThatThrownBy(() -> send(other))
          .isInstanceOfSatisfying(
              ServiceUnavailableException.class,
              it -> assertThat(it.getResponse().getHeaderString("Retry-After")).isEqualTo("1"));
      assertThat(isKept(other)).isFalse();
      connection.rollback();
    }

    first.get();
    send(other);
    assertThat(isKept(other)).as("when there is a place again").isTrue();
  }

  private static boolean isOneWaiting() throws SQLException {
    try (Connection connection = DATABASE.getConnection()) {
      return Sql.query(connection, WAITING, row -> row.integer("waiting")).getFirst() == 1;
    }
  }

  private void send(String id) {
    try {
      webhook.receive(signature(body(id), SECRET, now()), body(id));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HmacSHA256", e);
    }
  }

  private static String signature(String body, String secret, long at)
      throws GeneralSecurityException {
    return Webhook.Signature.generateSignatureHeader(body, secret, at);
  }

  private static long now() {
    return Instant.now().getEpochSecond();
  }

  private static String body(String id) {
    return """
    {"id": "%s", "object": "event", "type": "payment_intent.succeeded", "created": 1767322800,
     "data": {"object": {"id": "pi_1", "object": "payment_intent", "status": "succeeded"}}}
    """
        .formatted(id);
  }

  private double counted() {
    return metrics
        .counter("onceflow.stripe.events", "type", "payment_intent.succeeded", "known", "false")
        .count();
  }

  private static boolean isKept(String id) throws SQLException {
    try (Connection connection = DATABASE.getConnection()) {
      List<String> kept =
          Sql.query(connection, "SELECT id FROM stripe_event WHERE id = ?", row -> "kept", id);
      return !kept.isEmpty();
    }
  }
}
