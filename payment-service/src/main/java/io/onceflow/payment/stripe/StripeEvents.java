package io.onceflow.payment.stripe;

import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What Stripe has told: the table {@code stripe_event}, in which each event is once. */
@Singleton
class StripeEvents {

  private static final String TAKE =
      """
      INSERT INTO stripe_event (id, type, object_id, intent_id, key, status, created_at, known)
      SELECT told.id, told.type, told.object_id, told.intent_id, told.key, told.status, told.created_at,
             EXISTS (SELECT FROM stripe_request WHERE key = told.key)
             OR EXISTS (SELECT
                        FROM   payment
                        WHERE  order_id = told.order_id
                        AND    gateway_reference = told.intent_id)
             OR EXISTS (SELECT FROM stripe_event WHERE intent_id = told.intent_id AND known)
      FROM   (VALUES (?, ?, ?, ?, ?, ?, ?::timestamptz, ?::uuid))
               AS told (id, type, object_id, intent_id, key, status, created_at, order_id)
      ON CONFLICT (id) DO NOTHING
      RETURNING known
      """;

  private static final String DELETE_OLD =
      """
      DELETE FROM stripe_event
      WHERE  id IN (SELECT id
                    FROM   stripe_event
                    WHERE  received_at < clock_timestamp() - make_interval(secs => ?)
                    LIMIT  1000)
      """;

  private final DataSource database;

  StripeEvents(DataSource database) {
    this.database = database;
  }

  /**
   * An event.
   *
   * @param objectId of what it is about
   * @param intentId of the payment intent behind that
   * @param key under which it was asked for, as its metadata say
   * @param orderId likewise
   */
  record Event(
      String id,
      String type,
      String objectId,
      @Nullable String intentId,
      @Nullable String key,
      @Nullable UUID orderId,
      @Nullable String status,
      Instant createdAt) {}

  /**
   * Keeps an event.
   *
   * @return whether it is about a payment of this service; empty if it was kept before
   */
  Optional<Boolean> take(Event event) {
    try (Connection connection = database.getConnection();
        PreparedStatement take = connection.prepareStatement(TAKE)) {
      take.setString(1, event.id());
      take.setString(2, event.type());
      take.setString(3, event.objectId());
      take.setString(4, event.intentId());
      take.setString(5, event.key());
      take.setString(6, event.status());
      take.setObject(7, OffsetDateTime.ofInstant(event.createdAt(), ZoneOffset.UTC));
      take.setObject(8, event.orderId());
      try (ResultSet row = take.executeQuery()) {
        return row.next() ? Optional.of(row.getBoolean(1)) : Optional.empty();
      }
    } catch (SQLException e) {
      throw new IllegalStateException("Stripe's event %s cannot be kept".formatted(event.id()), e);
    }
  }

  /** Deletes events that came longer ago than this, and returns how many, at most a thousand. */
  int deleteOlderThan(Duration age) {
    try (Connection connection = database.getConnection();
        PreparedStatement delete = connection.prepareStatement(DELETE_OLD)) {
      delete.setLong(1, age.toSeconds());
      return delete.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException("Old events of Stripe cannot be deleted", e);
    }
  }
}
