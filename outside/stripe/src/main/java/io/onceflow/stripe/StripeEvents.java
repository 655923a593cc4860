package io.onceflow.stripe;

import io.onceflow.sql.Sql;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/** The events that Stripe has sent: the table {@code stripe_event}, which holds each event once. */
@Singleton
class StripeEvents {

  private static final String TAKE =
      """
      INSERT INTO stripe_event (id, type, object_id, intent_id, key, status, created_at, known)
      SELECT sent.id, sent.type, sent.object_id, sent.intent_id, sent.key, sent.status, sent.created_at,
             EXISTS (SELECT FROM stripe_request WHERE key = sent.key)
             OR EXISTS (SELECT FROM stripe_event WHERE intent_id = sent.intent_id AND known)
      FROM   (VALUES (?, ?, ?, ?, ?, ?, ?::timestamptz))
               AS sent (id, type, object_id, intent_id, key, status, created_at)
      ON CONFLICT (id) DO NOTHING
      RETURNING known
      """;

  private final DataSource database;

  StripeEvents(DataSource database) {
    this.database = database;
  }

  /**
   * Keeps an event.
   *
   * @return whether it is about a payment that was made here; empty if it was kept before
   */
  Optional<Boolean> take(StripeEvent event) {
    try (Connection connection = database.getConnection()) {
      return Sql.find(
          connection,
          TAKE,
          row -> row.truth("known"),
          event.id(),
          event.type(),
          event.objectId(),
          event.intentId(),
          event.key(),
          event.status(),
          event.createdAt());
    } catch (SQLException e) {
      throw new IllegalStateException("Stripe's event %s cannot be kept".formatted(event.id()), e);
    }
  }
}
