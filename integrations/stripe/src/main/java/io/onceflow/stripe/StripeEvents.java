package io.onceflow.stripe;

import io.onceflow.participant.CallKey;
import io.onceflow.participant.PendingSteps;
import io.onceflow.sql.Sql;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;

/** The events that Stripe has sent: the table {@code stripe_event}, which holds each event once. */
@Singleton
class StripeEvents {

  private static final String TAKE =
      """
      INSERT INTO stripe_event (id, type, object_id, intent_id, key, status, created_at, known)
      SELECT sent.id, sent.type, sent.object_id, sent.intent_id, sent.key, sent.status, sent.created_at,
             NOT sent.elsewhere
             AND (EXISTS (SELECT FROM stripe_request WHERE key = sent.key)
                  OR EXISTS (SELECT FROM stripe_refund WHERE key = sent.key)
                  OR EXISTS (SELECT FROM stripe_event WHERE intent_id = sent.intent_id AND known))
      FROM   (VALUES (?, ?, ?, ?, ?, ?, ?::timestamptz, ?))
               AS sent (id, type, object_id, intent_id, key, status, created_at, elsewhere)
      ON CONFLICT (id) DO NOTHING
      RETURNING known
      """;

  /** A dispute may come before the first event of the payment that it is about. */
  private static final String KNOW =
      """
      UPDATE stripe_event
      SET    known = true
      WHERE  intent_id = ?
      AND    NOT known
      """;

  private final DataSource database;
  private final PendingSteps pending;

  StripeEvents(DataSource database, PendingSteps pending) {
    this.database = database;
    this.pending = pending;
  }

  /**
   * Keeps an event, and has a step that waits for it ask Stripe again, in one transaction. The
   * event itself decides nothing: it may be late, and events may come in any order.
   *
   * @return whether it is about a payment that was made here; empty if it was kept before
   */
  Optional<Boolean> take(StripeEvent event) {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        Optional<Boolean> known = keep(connection, event);
        if (known.isPresent() && known.get()) {
          apply(connection, event);
        }
        connection.commit();
        return known;
      } catch (SQLException | RuntimeException e) {
        connection.rollback();
        throw e;
      }
    } catch (SQLException e) {
      throw new IllegalStateException("Stripe's event %s cannot be kept".formatted(event.id()), e);
    }
  }

  private static Optional<Boolean> keep(Connection connection, StripeEvent event)
      throws SQLException {
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
        event.createdAt(),
        event.isElsewhere());
  }

  private void apply(Connection connection, StripeEvent event) throws SQLException {
    String intent = event.intentId();
    if (intent != null) {
      Sql.update(connection, KNOW, intent);
      failRefund(connection, event, intent);
    }
    wake(connection, event);
  }

  /** One that was made by hand has no key, and is looked after by hand. */
  private static void failRefund(Connection connection, StripeEvent event, String intent)
      throws SQLException {
    if (event.isOfFailedRefund() && event.key() != null && event.reference() != null) {
      String failure = Objects.requireNonNullElse(event.failure(), "refund_failed");
      StripeRefundTable.failed(
          connection, event.key(), event.reference(), intent, event.objectId(), failure);
    }
  }

  private void wake(Connection connection, StripeEvent event) throws SQLException {
    if (event.isOfIntent() && event.key() != null) {
      Optional<CallKey> step = StripeRequests.step(connection, event.key());
      if (step.isPresent()) {
        pending.decideAgain(connection, step.get());
      }
    }
  }
}
