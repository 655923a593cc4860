package io.onceflow.easypost;

import io.onceflow.sql.Sql;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;

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
   * Keeps an event.
   *
   * @return whether it is about a label of this service; empty if it was kept before
   */
  Optional<Boolean> take(EasyPostEvent event) {
    try (Connection connection = database.getConnection()) {
      return Sql.find(
          connection,
          TAKE,
          row -> row.truth("known"),
          event.id(),
          event.description(),
          event.objectId(),
          event.shipmentId(),
          event.trackingCode(),
          event.status(),
          event.updatedAt());
    } catch (SQLException e) {
      throw new IllegalStateException(
          "EasyPost's event %s cannot be kept".formatted(event.id()), e);
    }
  }

  /** What was told last of a parcel, such as {@code delivered}, by the time of the change. */
  Optional<String> status(String trackingCode) {
    try (Connection connection = database.getConnection()) {
      return Sql.find(
          connection, STATUS, row -> Objects.requireNonNull(row.text("status")), trackingCode);
    } catch (SQLException e) {
      throw new IllegalStateException("EasyPost's events cannot be read", e);
    }
  }
}
