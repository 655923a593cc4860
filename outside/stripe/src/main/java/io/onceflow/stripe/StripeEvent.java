package io.onceflow.stripe;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.ws.rs.BadRequestException;
import java.time.DateTimeException;
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
          Instant.ofEpochSecond(event.path("created").asLong()));
    } catch (JsonProcessingException | DateTimeException e) {
      throw new BadRequestException("The body is not an event of Stripe", e);
    }
  }

  /** Whether it says that the status of a payment intent has changed. */
  boolean isOfIntent() {
    return type.startsWith("payment_intent.");
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
    return node.path(field).isTextual() ? node.path(field).textValue() : null;
  }
}
