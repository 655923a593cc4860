package io.onceflow.systemtests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.rabbitmq.client.AMQP.BasicProperties;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message made from a golden file and then spoilt.
 *
 * @param trace found again in its consumer's database, as the id of a message that is parked, or as
 *     the scope or key of one that was handled; null where the message is spoilt beyond recognition
 * @param inside the messages of a whole pack
 */
record FuzzedMessage(Message message, @Nullable String trace, List<FuzzedMessage> inside) {

  /** What a property of AMQP can hold. */
  private static final int LONGEST_PROPERTY = 255;

  /** What a consumer reads; anything larger is parked by its length. */
  private static final int LARGEST_READ = 256 * 1024;

  /** What every broker takes; Kafka's limit of a mebibyte includes the record's headers. */
  private static final int LARGEST_TAKEN = 1_000_000;

  private static final int SHOWN = 2_000;

  /** What would forge a line of a log, or be a tag of a meter that there was never before. */
  private static final List<String> TYPES =
      List.of(
          "ProcessPayment\r\nERROR forged",
          "PaymentProcessed\n",
          "\u001b[2J\u001b[31mProcessPayment",
          "Process\u0085Payment\u2028",
          "\u0000\u0007\u0008",
          "\u202eProcessPayment");

  private static final List<String> EXPIRIES =
      List.of(
          "2099-01-01T00:00:00Z",
          "2020-01-01T00:00:00Z",
          "+1000000000-12-31T23:59:59.999999999Z",
          "-1000000000-01-01T00:00:00Z",
          "0000-01-01T00:00:00Z",
          "tomorrow");

  static FuzzedMessage of(GoldenMessages golden, String trace, Dice dice) {
    return dice.chance(0.2) ? pack(golden, trace, dice) : alone(golden, trace, dice, false);
  }

  /** One whose payload is as large as a consumer reads and as costly as can be. */
  static FuzzedMessage large(GoldenMessages golden, String trace, Dice dice) {
    String type = dice.oneOf(golden.types());
    BasicProperties properties =
        new BasicProperties.Builder()
            .messageId(trace)
            .type(type)
            .contentType("application/json")
            .deliveryMode(2)
            .correlationId(new UUID(dice.any(), dice.any()).toString())
            .headers(
                Map.of(
                    "x-idempotency-key",
                    trace,
                    "x-idempotency-scope",
                    trace,
                    "x-message-version",
                    "1"))
            .build();
    byte[] body = CostlyJson.ofSize(payload(type, dice), LARGEST_READ, dice);
    return new FuzzedMessage(
        new Message(golden.exchange(), golden.routingKeys().get(type), properties, body),
        trace,
        List.of());
  }

  private static FuzzedMessage alone(
      GoldenMessages golden, String trace, Dice dice, boolean isPacked) {
    String type = dice.oneOf(golden.types());
    Map<String, Object> headers = headers(trace, dice);
    BasicProperties.Builder properties =
        new BasicProperties.Builder()
            .messageId(trace)
            .type(type)
            .contentType("application/json")
            .deliveryMode(2)
            .correlationId(new UUID(dice.any(), dice.any()).toString())
            .replyTo(dice.chance(0.5) ? "order-service" : null);
    boolean isTraceable = true;
    if (dice.chance(0.3)) {
      isTraceable = spoil(properties, dice, isPacked);
    }
    properties.headers(headers);
    byte[] body = body(type, dice, isPacked);
    Message message =
        new Message(golden.exchange(), golden.routingKeys().get(type), properties.build(), body);
    return new FuzzedMessage(message, isTraceable ? trace : null, List.of());
  }

  private static byte[] body(String type, Dice dice, boolean isPacked) {
    JsonNode payload = payload(type, dice);
    if (isPacked || !dice.chance(0.04)) {
      return JsonMutations.mutate(payload, dice);
    }
    return CostlyJson.of(payload, dice.chance(0.7) ? LARGEST_READ : LARGEST_TAKEN, dice);
  }

  private static FuzzedMessage pack(GoldenMessages golden, String trace, Dice dice) {
    List<FuzzedMessage> inside = new ArrayList<>();
    for (int i = dice.between(0, 4); i > 0; i--) {
      inside.add(alone(golden, trace + "-" + i, dice, true));
    }
    byte[] body = PackBytes.of(inside.stream().map(FuzzedMessage::message).toList());
    boolean isWhole = dice.chance(0.6);
    BasicProperties properties =
        new BasicProperties.Builder()
            .messageId(trace)
            .type("Pack")
            .contentType("application/vnd.onceflow.pack")
            .deliveryMode(2)
            .headers(dice.chance(0.5) ? headers(trace, dice) : null)
            .build();
    Message message =
        new Message(
            golden.exchange(),
            golden.routingKeys().get(golden.types().getFirst()),
            properties,
            isWhole ? body : JsonMutations.bytes(body, dice));
    return new FuzzedMessage(message, isWhole ? trace : null, inside);
  }

  /** Whether it is among the traces: itself, or all that was in it. */
  boolean isAmong(Set<String> found) {
    return trace == null
        || found.contains(trace)
        || !inside.isEmpty() && inside.stream().allMatch(message -> message.isAmong(found));
  }

  private static Map<String, Object> headers(String trace, Dice dice) {
    Map<String, Object> headers = new HashMap<>();
    headers.put("x-idempotency-key", trace);
    headers.put("x-idempotency-scope", trace);
    headers.put("x-message-version", "1");
    if (dice.chance(0.3)) {
      headers.put("x-expires-at", dice.oneOf(EXPIRIES));
    }
    if (dice.chance(0.3)) {
      headers.put("traceparent", Rubbish.text(dice));
    }
    if (dice.chance(0.25)) {
      String name = dice.oneOf(headers.keySet().stream().sorted().toList());
      headers.put(name, dice.chance(0.5) ? Rubbish.text(dice) : odd(dice));
    }
    if (dice.chance(0.1)) {
      headers.remove(dice.oneOf(headers.keySet().stream().sorted().toList()));
    }
    if (dice.chance(0.1)) {
      // A name begins with a letter (AMQP 0-9-1 §4.2.5.5); without one, brokers lose the message.
      headers.put(cut("x" + Rubbish.text(dice)), odd(dice));
    }
    if (dice.chance(0.02)) {
      OddTables.add(headers, dice);
    }
    return headers;
  }

  /** What AMQP lets a header be, beside text. */
  private static @Nullable Object odd(Dice dice) {
    return switch (dice.below(9)) {
      case 0 -> null;
      case 1 -> dice.below(100);
      case 2 -> dice.any();
      case 3 -> dice.chance(0.5);
      case 4 -> new BigDecimal("1.50");
      case 5 -> Date.from(Instant.EPOCH);
      case 6 -> dice.bytes(dice.below(50));
      case 7 -> Map.of("a", List.of(1, Map.of("b", "c")));
      default -> List.of("a", 1, true);
    };
  }

  /** Spoils one property, and says whether the message can be found again all the same. */
  private static boolean spoil(BasicProperties.Builder properties, Dice dice, boolean isPacked) {
    @Nullable String text = dice.chance(0.15) ? null : Rubbish.text(dice);
    @Nullable String value = text == null || isPacked ? text : cut(text);
    switch (dice.below(7)) {
      case 0 -> properties.type(dice.chance(0.5) ? type(dice) : value);
      case 1 -> properties.correlationId(value);
      case 2 -> properties.contentType(value);
      case 3 -> properties.contentEncoding(value);
      case 4 -> properties.priority(dice.below(256));
      case 5 -> properties.replyTo(value);
      default -> {
        properties.messageId(value);
        return false;
      }
    }
    return true;
  }

  private static String type(Dice dice) {
    return dice.chance(0.5) ? dice.oneOf(TYPES) : "Type" + dice.any();
  }

  private static String cut(String text) {
    String cut = text;
    while (cut.getBytes(StandardCharsets.UTF_8).length > LONGEST_PROPERTY) {
      cut = cut.substring(0, cut.length() / 2);
    }
    return cut;
  }

  /** About a separate order, so that no message is declined because of another. */
  private static JsonNode payload(String type, Dice dice) {
    ObjectNode payload = (ObjectNode) GoldenMessages.payload(type);
    if (payload.has("orderId")) {
      payload.put("orderId", new UUID(dice.any(), dice.any()).toString());
    }
    return payload;
  }

  @Override
  public String toString() {
    String text = "%s %s".formatted(message.properties(), message.payload());
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
  }
}
