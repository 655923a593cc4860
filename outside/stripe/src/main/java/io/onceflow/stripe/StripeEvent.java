package io.onceflow.stripe;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.ws.rs.BadRequestException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of an event.
 *
 * @param objectId of the object that it is about
 * @param intentId of the payment intent behind that object; null where it names none
 * @param key under which the object was asked for, as its metadata say; null where they do not
 * @param status of the object; null where it has none
 * @param createdAt by Stripe's clock
 */
record StripeEvent(
    String id,
    String type,
    String objectId,
    @Nullable String intentId,
    @Nullable String key,
    @Nullable String status,
    Instant createdAt) {

  /** Stripe's longest texts are values of metadata; PostgreSQL indexes none that is much longer. */
  private static final int LONGEST = 500;

  /** The end of the year 9999. PostgreSQL's time goes further, but not as far as Java's. */
  private static final long LATEST = 253_402_300_799L;

  /**
   * @throws BadRequestException if the text is not an event
   */
  static StripeEvent read(ObjectMapper json, String body) {
    try {
      JsonNode event = json.readTree(body);
      JsonNode object = event.path("data").path("object");
      boolean isIntent = object.path("object").asText().equals("payment_intent");
      return new StripeEvent(
          required(event, "id"),
          required(event, "type"),
          required(object, "id"),
          text(object, isIntent ? "id" : "payment_intent"),
          text(object.path("metadata"), StripeIntents.KEY),
          text(object, "status"),
          moment(event.path("created")));
    } catch (JsonProcessingException e) {
      throw new BadRequestException("The body is not an event of Stripe", e);
    }
  }

  /** Whether it says that the status of a payment intent has changed. */
  boolean isOfIntent() {
    return type.startsWith("payment_intent.");
  }

  private static Instant moment(JsonNode seconds) {
    if (!seconds.isIntegralNumber()
        || !seconds.canConvertToLong()
        || seconds.asLong() < 0
        || seconds.asLong() > LATEST) {
      throw new BadRequestException("The body is not an event of Stripe: created is no such time");
    }
    return Instant.ofEpochSecond(seconds.asLong());
  }

  private static String required(JsonNode node, String field) {
    String value = text(node, field);
    if (value == null) {
      throw new BadRequestException(
          "The body is not an event of Stripe: %s is missing".formatted(field));
    }
    return value;
  }

  private static @Nullable String text(JsonNode node, String field) {
    @Nullable String text = node.path(field).isTextual() ? node.path(field).textValue() : null;
    if (text != null && (text.length() > LONGEST || text.indexOf('\0') >= 0)) {
      throw new BadRequestException(
          "The body is not an event of Stripe: %s has more than %d characters, or a NUL"
              .formatted(field, LONGEST));
    }
    return text;
  }
}
