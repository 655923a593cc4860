package io.onceflow.order.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.outbox.internal.MessageHeaders;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which replies are believed: of whom, and what they say. */
class ForgedRepliesTest {

  private static final TestDatabase DATABASE =
      TestDatabase.apart("payments", "onceflow/saga", "migration");

  private static final String PROCESSED = "PaymentProcessed";
  private static final String PAYMENT_SERVICE = "order-service.payment-service";

  private final Replica replica = new Replica(DATABASE.source(), Set.of(1), Set.of(), Map.of());

  static Stream<Arguments> forgeries() {
    return Stream.of(
        arguments("another service", sentBy("order-service.shipping-service")),
        arguments("no service by name", sentBy("order-service")),
        arguments("a name below the participant's", sentBy(PAYMENT_SERVICE + ".shipping-service")),
        arguments("another orchestrator's routing key", sentBy("trips.payment-service")),
        arguments("another amount", saying("2500", "1")),
        arguments("another currency", saying("EUR", "JPY")),
        arguments("no currency", saying("\"currency\": \"EUR\",", "")),
        arguments("another order", aboutAnotherOrder()),
        arguments("another scope", with(MessageHeaders.IDEMPOTENCY_SCOPE, "mallory")),
        arguments("another root key", with(MessageHeaders.IDEMPOTENCY_KEY, "another")),
        arguments("another origin", with(MessageHeaders.SAGA_ORIGIN, "order-service/return-order")),
        arguments("no origin", without(MessageHeaders.SAGA_ORIGIN)),
        arguments("another step", with(MessageHeaders.SAGA_STEP, "arrange-shipment")),
        arguments("a step that there is not", with(MessageHeaders.SAGA_STEP, "pay-twice")),
        arguments("no step", without(MessageHeaders.SAGA_STEP)),
        arguments("no outcome", without(MessageHeaders.OUTCOME)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("forgeries")
  void aReplyThatDoesNotFitMovesNothingAndDoesNotKeepTheGenuineOneOut(
      String what, Function<Replica.Placed, Delivery> forgery) throws Exception {
    Replica.Placed placed = replica.place();
    Delivery forged = forgery.apply(placed);
    replica.settler.settle(List.of(forged));
    assertThat(DeferredRepliesTest.parkedFor(placed)).containsExactly("reply-mismatch");
    assertThat(replica.events(placed)).containsExactly("saga-started", "command-sent");

    replica.settler.settle(
        List.of(forged, placed.reply(PROCESSED, placed.paymentProcessed()), forged));
    assertThat(replica.events(placed))
        .containsExactly("saga-started", "command-sent", "succeeded", "command-sent");
    assertThat(DeferredRepliesTest.parkedFor(placed))
        .containsExactly("reply-mismatch", "reply-mismatch", "reply-mismatch");
  }

  @Test
  void aRefundOfAnotherAmountIsNotBelieved() throws Exception {
    Replica.Placed placed = replica.place();
    replica.settler.settle(
        List.of(
            placed.reply(
                "PaymentRefunded",
                "{\"orderId\": \"%s\", \"amount\": 1}".formatted(placed.order()))));
    assertThat(DeferredRepliesTest.parkedFor(placed)).containsExactly("reply-mismatch");
  }

  private static Function<Replica.Placed, Delivery> sentBy(String routingKey) {
    return placed ->
        placed.reply(PROCESSED, placed.paymentProcessed(), routingKey, headers(placed));
  }

  private static Function<Replica.Placed, Delivery> saying(String instead, String said) {
    return placed -> placed.reply(PROCESSED, placed.paymentProcessed().replace(instead, said));
  }

  private static Function<Replica.Placed, Delivery> aboutAnotherOrder() {
    return placed ->
        placed.reply(
            PROCESSED,
            placed
                .paymentProcessed()
                .replace(placed.order().toString(), UUID.randomUUID().toString()));
  }

  private static Function<Replica.Placed, Delivery> with(String header, String value) {
    return placed -> {
      Map<String, String> headers = headers(placed);
      headers.put(header, value);
      return placed.reply(PROCESSED, placed.paymentProcessed(), PAYMENT_SERVICE, headers);
    };
  }

  private static Function<Replica.Placed, Delivery> without(String header) {
    return placed -> {
      Map<String, String> headers = headers(placed);
      headers.remove(header);
      return placed.reply(PROCESSED, placed.paymentProcessed(), PAYMENT_SERVICE, headers);
    };
  }

  private static Map<String, String> headers(Replica.Placed placed) {
    return new HashMap<>(ReplyEnvelopes.headers(PROCESSED, placed.customer(), placed.key()));
  }
}
