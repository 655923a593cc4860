package io.onceflow.stripe;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of an event.
 *
 * @param objectId of the object that it is about; empty where that has none, as a balance
 * @param intentId of the payment intent behind that object; null where it names none
 * @param key under which the object was asked for, as its metadata say; null where they do not
 * @param reference what the object is for, as its metadata say; null where they do not
 * @param status of the object; null where it has none
 * @param failure why a refund has failed; null where it says nothing
 * @param isElsewhere whether it happened in another account, which only has its events sent here,
 *     or in the other mode
 * @param createdAt by Stripe's clock
 */
record StripeEvent(
    String id,
    String type,
    String objectId,
    @Nullable String intentId,
    @Nullable String key,
    @Nullable String reference,
    @Nullable String status,
    @Nullable String failure,
    boolean isElsewhere,
    Instant createdAt) {

  /** Stripe's longest texts are values of metadata; PostgreSQL indexes none that is much longer. */
  private static final int LONGEST = 500;

  /** The end of the year 9999. PostgreSQL's time goes further, but not as far as Java's. */
  private static final long LATEST = 253_402_300_799L;

  private static final Set<String> OF_REFUNDS =
      Set.of("refund.failed", "refund.updated", "charge.refund.updated");

  /**
   * Reads an event that Stripe has signed.
   *
   * @param isLive whether this service charges in live mode; null where that is not known
   * @return empty for what is none that can be kept: it is not about a payment of this service
   */
  static Optional<StripeEvent> read(ObjectMapper json, String body, @Nullable Boolean isLive) {
    JsonNode event;
    try {
      event = json.readTree(body);
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
    String id = text(event, "id");
    String type = text(event, "type");
    Instant created = moment(event.path("created"));
    if (id == null || type == null || created == null) {
      return Optional.empty();
    }
    JsonNode object = event.path("data").path("object");
    JsonNode metadata = object.path("metadata");
    return Optional.of(
        new StripeEvent(
            id,
            type,
            Objects.requireNonNullElse(text(object, "id"), ""),
            intent(object),
            text(metadata, StripeIntents.KEY),
            text(metadata, StripeIntents.REFERENCE),
            text(object, "status"),
            text(object, "failure_reason"),
            event.hasNonNull("account")
                || (isLive != null && event.path("livemode").asBoolean(isLive) != isLive),
            created));
  }

  /** Its id, or all of it where the account has it expanded. */
  private static @Nullable String intent(JsonNode object) {
    if (object.path("object").asText().equals("payment_intent")) {
      return text(object, "id");
    }
    return object.path("payment_intent").isObject()
        ? text(object.path("payment_intent"), "id")
        : text(object, "payment_intent");
  }

  /** Whether it says that the status of a payment intent has changed. */
  boolean isOfIntent() {
    return type.startsWith("payment_intent.");
  }

  /** Whether it says that a refund gives no money back after all. */
  boolean isOfFailedRefund() {
    return OF_REFUNDS.contains(type) && StripeRefunds.FAILED.contains(String.valueOf(status));
  }

  private static @Nullable Instant moment(JsonNode seconds) {
    return seconds.isIntegralNumber()
            && seconds.canConvertToLong()
            && seconds.asLong() >= 0
            && seconds.asLong() <= LATEST
        ? Instant.ofEpochSecond(seconds.asLong())
        : null;
  }

  /** Null, too, for what cannot be kept: it is no text of an object that was made here. */
  private static @Nullable String text(JsonNode node, String field) {
    @Nullable String text = node.path(field).isTextual() ? node.path(field).textValue() : null;
    return text == null || text.length() > LONGEST || text.indexOf('\0') >= 0 ? null : text;
  }
}
