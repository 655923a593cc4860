package io.onceflow.easypost;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of an event.
 *
 * @param description its type
 * @param objectId of what it is about; empty where that has none
 * @param updatedAt when that changed, by EasyPost's clock
 */
record EasyPostEvent(
    String id,
    String description,
    String objectId,
    @Nullable String shipmentId,
    @Nullable String trackingCode,
    @Nullable String status,
    Instant updatedAt) {

  /** PostgreSQL indexes no text that is much longer; EasyPost's ids have less than a hundred. */
  private static final int LONGEST_TEXT = 500;

  /** PostgreSQL's time goes further, but not as far as Java's. */
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

  /**
   * Reads an event that EasyPost has signed.
   *
   * @return empty for what is none that can be kept: it is not about a label of this service
   */
  static Optional<EasyPostEvent> read(ObjectMapper json, byte[] body) {
    JsonNode event;
    try {
      event = json.readTree(body);
    } catch (IOException e) {
      return Optional.empty();
    }
    String id = text(event, "id");
    String description = text(event, "description");
    JsonNode object = event.path("result");
    Instant updated = moment(object.hasNonNull("updated_at") ? object : event, "updated_at");
    Instant time = updated == null ? moment(event, "created_at") : updated;
    if (id == null || description == null || time == null) {
      return Optional.empty();
    }
    boolean isShipment = "Shipment".equals(text(object, "object"));
    return Optional.of(
        new EasyPostEvent(
            id,
            description,
            Objects.requireNonNullElse(text(object, "id"), ""),
            text(object, isShipment ? "id" : "shipment_id"),
            text(object, "tracking_code"),
            text(object, "status"),
            time));
  }

  /** Null, too, for a time that cannot be kept. */
  private static @Nullable Instant moment(JsonNode node, String field) {
    String text = text(node, field);
    if (text == null) {
      return null;
    }
    try {
      Instant moment = OffsetDateTime.parse(text).toInstant();
      return moment.isBefore(Instant.EPOCH) || moment.isAfter(LATEST) ? null : moment;
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** Null, too, for what cannot be kept: it is no text of an object that was made here. */
  private static @Nullable String text(JsonNode node, String field) {
    @Nullable String text = node.path(field).isTextual() ? node.path(field).textValue() : null;
    return text == null || text.length() > LONGEST_TEXT || text.indexOf('\0') >= 0 ? null : text;
  }
}
