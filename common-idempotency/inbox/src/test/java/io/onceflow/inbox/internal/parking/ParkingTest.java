package io.onceflow.inbox.internal.parking;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.core.internal.Printable;
import io.onceflow.inbox.Fixture;
import io.onceflow.inbox.Handlers;
import io.onceflow.inbox.Saga;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.participant.Participant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Rule 13: what cannot be handled is kept, with its reason, and the rest goes on. */
@Timeout(60)
class ParkingTest {

  private static final String TAKE =
      "{\"subject\":\"5f0c7a00-0000-7000-8000-000000000000\",\"amount\":1}";

  /** Jackson by itself would take the second amount. */
  private static final String TWICE =
      TAKE.replace("{", "{\"amount\":3,\"amount\":2,").replace(",\"amount\":1", "");

  /** Would be a line of its own in a log. */
  private static final String FORGED = "TakeMoney\n04:00:00 INFO  Audit  olga deleted it\u001b[2J";

  private final Fixture fixture = new Fixture();
  private final Participant participant = fixture.participant();
  private final Saga saga = new Saga();

  @AfterEach
  void close() {
    fixture.close();
  }

  static Stream<Arguments> unfit() {
    return Stream.of(
        unfit("malformed", "TakeMoney", "nonsense", Map.of()),
        unfit("malformed", "TakeMoney", "", Map.of()),
        unfit("malformed", "TakeMoney", "null", Map.of()),
        unfit("malformed", "TakeMoney", "[]", Map.of()),
        unfit("malformed", "TakeMoney", "{\"amount\":1}", Map.of()),
        unfit("malformed", "TakeMoney", TAKE.replace("5f0c", "5f0"), Map.of()),
        unfit("malformed", "TakeMoney", TAKE + "{}", Map.of()),
        unfit("malformed", "TakeMoney", TWICE, Map.of()),
        unfit("malformed", "TakeMoney", "{\"subject\":\"\u0000\"}", Map.of()),
        unfit("malformed", "TakeMoney", "[".repeat(3_000), Map.of()),
        unfit("malformed", "TakeMoney", TAKE.replace(":1", ":" + "1".repeat(3_000)), Map.of()),
        unfit("malformed", "TakeMoney", TAKE, Map.of("x-expires-at", "tomorrow")),
        unfit("malformed", "TakeMoney", TAKE, Map.of("traceparent", "a\0b")),
        unfit("malformed", "TakeMoney", TAKE, Map.of("x-idempotency-scope", "a\0b")),
        unfit("malformed", "TakeMoney", TAKE, Map.of("x-idempotency-scope", "ß".repeat(513))),
        unfit("malformed", "TakeMoney", TAKE, Map.of("x-saga-origin", "a\0b")),
        unfit("malformed", "TakeMoney", TAKE, Map.of("x-saga-origin", "shop:place-order")),
        unfit("malformed", "TakeMoney", TAKE, Map.of("x-saga-origin", "o".repeat(256))),
        unfit("malformed", "TakeMoney", TAKE, Map.of("x-saga-step", "take:twice")),
        unfit("malformed", "TakeMoney", TAKE, Map.of("x-saga-step", "take\ntwice")),
        unfit("malformed", "TakeMoney", TAKE, Map.of("x-saga-step", "s".repeat(65))),
        unfit("malformed", "TakeMoney", TAKE, Map.of("x-saga-undoes", "é")),
        unfit("malformed", "TakeMoney", TAKE, Map.of("x-outcome", "perhaps")),
        unfit("unknown-type", "T".repeat(256), TAKE, Map.of()),
        unfit("unknown-type", "TakeEverything", TAKE, Map.of()),
        unfit("unknown-type", null, TAKE, Map.of()),
        unfit("unknown-type", " ", TAKE, Map.of()),
        unfit("unknown-type", FORGED, TAKE, Map.of()),
        unfit("unknown-type", "\u202eyenoMekaT", TAKE, Map.of()),
        unfit("malformed", "TakeMoney", TAKE, Map.of("x-expires-at", FORGED)),
        unfit("malformed", "TakeMoney", TAKE, Map.of("x-expires-at", "9".repeat(5_000))),
        unfit("no-idempotency-key", "TakeMoney", TAKE, Map.of("x-idempotency-key", "")),
        unfit("no-idempotency-key", "TakeMoney", TAKE, Map.of("x-idempotency-key", "cl\u00e9")),
        unfit(
            "no-idempotency-key", "TakeMoney", TAKE, Map.of("x-idempotency-key", "k".repeat(256))),
        unfit("no-idempotency-key", "TakeMoney", TAKE, Map.of("x-idempotency-scope", "")),
        unfit("unsupported-version", "TakeMoney", TAKE, Map.of("x-message-version", "2")),
        unfit("unsupported-version", "TakeMoney", TAKE, Map.of("x-message-version", "one")));
  }

  private static Arguments unfit(
      String reason, @Nullable String type, String body, Map<String, String> headers) {
    return Arguments.of(reason, type, body, headers);
  }

  @ParameterizedTest
  @MethodSource("unfit")
  void parksWhatIsNotInOrder(
      String reason, @Nullable String type, String body, Map<String, String> headers)
      throws Exception {
    Saga next = new Saga();
    participant.settle(
        List.of(
            saga.delivery(type, body.getBytes(UTF_8), "order-service", headers),
            next.take(Handlers.DECLINED)));
    assertThat(saga.parkedFor()).containsExactly(reason);
    assertThat(whatIsShownOfIt()).matches(Printable::is, "can be printed").hasSizeLessThan(1_400);
    assertThat(saga.replies()).isEmpty();
    assertThat(next.replies()).containsExactly("MoneyDeclined");
  }

  private String whatIsShownOfIt() throws Exception {
    return Saga.PAYMENTS.text(
        "SELECT concat_ws(' ', type, detail) FROM parked_message WHERE correlation_id = ?",
        saga.correlationId);
  }

  @Test
  void takesAMessageThatDoesNotSayItsVersionForTheFirst() throws Exception {
    participant.settle(
        List.of(
            saga.delivery(
                "TakeMoney",
                saga.take(Handlers.DECLINED).body(),
                "order-service",
                Map.of("x-message-version", ""))));
    assertThat(saga.replies()).containsExactly("MoneyDeclined");
  }

  @Test
  void keepsAParkedMessageByteForByteWithItsProperties() throws Exception {
    byte[] body = {'{', 0, -1, (byte) 0xc3, '}'};
    Delivery delivery = saga.delivery("TakeMoney", body, "order-service", Map.of());
    participant.settle(List.of(delivery));
    String parked =
        """
        SELECT concat_ws(' ', queue, message_id, type, reply_to, encode(payload, 'hex'),
                 headers->>'x-idempotency-key')
        FROM   parked_message
        WHERE  correlation_id = ?
        """;
    assertThat(Saga.PAYMENTS.text(parked, saga.correlationId))
        .isEqualTo(
            "payment-service.commands %s TakeMoney order-service 7b00ffc37d %s",
            delivery.messageId(), saga.root);
  }

  /** PostgreSQL's text holds no NUL; such a message must not be unparkable. */
  @Test
  void keepsEvenAMessageWhosePropertiesPostgresCannotHold() throws Exception {
    participant.settle(
        List.of(
            saga.delivery("no\0type", new byte[0], "to\0nobody", Map.of("x-odd", "a\0b\\u0000"))));
    assertThat(saga.parkedFor()).containsExactly("unknown-type");
  }

  /** The answer repeats it, and headers that do not fit into a frame are not sent, ever. */
  @Test
  void keepsAMessageWhoseTraceContextNoAnswerCouldRepeat() throws Exception {
    participant.settle(List.of(saga.with(Map.of("traceparent", "0".repeat(200_000)), saga.take())));
    assertThat(saga.parkedFor()).containsExactly("malformed");
  }

  @Test
  void parksOnceForEachTimeItCame() throws Exception {
    participant.settle(List.of(saga.command("TakeMoney", "{"), saga.command("TakeMoney", "{")));
    assertThat(saga.parkedFor()).hasSize(2);
  }

  @Test
  void countsByReason() throws Exception {
    participant.settle(List.of(saga.command("TakeMoney", "{")));
    assertThat(
            fixture
                .metrics
                .get("onceflow.inbox.parked")
                .tag("reason", "malformed")
                .counter()
                .count())
        .isEqualTo(1);
  }
}
