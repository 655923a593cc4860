package io.onceflow.easypost;

import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What EasyPost has told: the table {@code easypost_event}, in which each event is once. */
@Singleton
class EasyPostEvents {

  private static final String TAKE =
      """
      INSERT INTO easypost_event (id, description, object_id, shipment_id, tracking_code, status, updated_at, known)
      SELECT told.*,
             EXISTS (SELECT FROM easypost_request WHERE shipment_id = told.shipment_id)
             OR EXISTS (SELECT FROM easypost_request WHERE tracking_code = told.tracking_code)
      FROM   (VALUES (?, ?, ?, ?, ?, ?, ?::timestamptz))
               AS told (id, description, object_id, shipment_id, tracking_code, status, updated_at)
      ON CONFLICT (id) DO NOTHING
      RETURNING known
      """;

  private static final String STATUS =
      """
      SELECT   status
      FROM     easypost_event
      WHERE    tracking_code = ?
      AND      description LIKE 'tracker.%'
      AND      status IS NOT NULL
      ORDER BY updated_at DESC
      LIMIT    1
      """;

  private final DataSource database;

  EasyPostEvents(DataSource database) {
    this.database = database;
  }

  /**
   * An event.
   *
   * @param description its type
   * @param objectId of what it is about
   * @param updatedAt when that changed, by EasyPost's clock
   */
  record Event(
      String id,
      String description,
      String objectId,
      @Nullable String shipmentId,
      @Nullable String trackingCode,
      @Nullable String status,
      Instant updatedAt) {}

  /**
   * Keeps an event.
   *
   * @return whether it is about a label of this service; empty if it was kept before
   */
  Optional<Boolean> take(Event event) {
    try (Connection connection = database.getConnection();
        PreparedStatement take = connection.prepareStatement(TAKE)) {
      take.setString(1, event.id());
      take.setString(2, event.description());
      take.setString(3, event.objectId());
      take.setString(4, event.shipmentId());
      take.setString(5, event.trackingCode());
      take.setString(6, event.status());
      take.setObject(7, OffsetDateTime.ofInstant(event.updatedAt(), ZoneOffset.UTC));
      try (ResultSet row = take.executeQuery()) {
        return row.next() ? Optional.of(row.getBoolean(1)) : Optional.empty();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(
          "EasyPost's event %s cannot be kept".formatted(event.id()), e);
    }
  }

  /** What was told last of a parcel, such as {@code delivered}, by the time of the change. */
  Optional<String> status(String trackingCode) {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(STATUS)) {
      select.setString(1, trackingCode);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
      }
    } catch (SQLException e) {
      throw new IllegalStateException("EasyPost's events cannot be read", e);
    }
  }
}
