package io.onceflow.payment.stripe;

import io.onceflow.participant.CallKey;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What Stripe was asked to charge: the table {@code stripe_request}. Each call is a transaction of
 * its own, committed before Stripe is asked.
 */
@Singleton
class StripeRequests {

  private static final String ASK =
      """
      INSERT INTO stripe_request AS request (key, order_id, first_at, last_at)
      VALUES (?, ?, clock_timestamp(), clock_timestamp())
      ON CONFLICT (key) DO UPDATE
         SET last_at = clock_timestamp()
       WHERE NOT request.given_up
      RETURNING first_at, last_at
      """;

  private static final String GIVE_UP =
      """
      INSERT INTO stripe_request (key, order_id, given_up)
      VALUES (?, ?, true)
      ON CONFLICT (key) DO UPDATE
         SET given_up = true
      RETURNING first_at, last_at
      """;

  private static final String DELETE_OLD =
      """
      DELETE FROM stripe_request
      WHERE  key IN (SELECT key
                     FROM   stripe_request
                     WHERE  created_at < clock_timestamp() - make_interval(secs => ?)
                     LIMIT  1000)
      """;

  private final DataSource database;

  StripeRequests(DataSource database) {
    this.database = database;
  }

  /**
   * When a charge was asked for.
   *
   * @param first before the first request
   * @param last before the last one
   */
  record Asked(Instant first, Instant last) {

    boolean isRepeat() {
      return first.isBefore(last);
    }
  }

  /**
   * Notes that a charge is about to be asked for.
   *
   * @return empty if it was given up: it must not be asked for
   */
  Optional<Asked> ask(CallKey key, UUID orderId) {
    return write(ASK, key, orderId);
  }

  /**
   * Notes that a charge is given up.
   *
   * @return empty if it was never asked for, and never will be
   */
  Optional<Asked> giveUp(CallKey key, UUID orderId) {
    return write(GIVE_UP, key, orderId);
  }

  /** Deletes requests that are older than this, and returns how many, at most a thousand. */
  int deleteOlderThan(Duration age) {
    try (Connection connection = database.getConnection();
        PreparedStatement delete = connection.prepareStatement(DELETE_OLD)) {
      delete.setLong(1, age.toSeconds());
      return delete.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException("Old requests to Stripe cannot be deleted", e);
    }
  }

  private Optional<Asked> write(String sql, CallKey key, UUID orderId) {
    try (Connection connection = database.getConnection();
        PreparedStatement write = connection.prepareStatement(sql)) {
      write.setString(1, key.value());
      write.setObject(2, orderId);
      try (ResultSet row = write.executeQuery()) {
        return row.next() ? asked(row) : Optional.empty();
      }
    } catch (SQLException e) {
      throw new StripeUnavailable("request %s cannot be noted".formatted(key), e);
    }
  }

  private static Optional<Asked> asked(ResultSet row) throws SQLException {
    @Nullable OffsetDateTime first = row.getObject(1, OffsetDateTime.class);
    return first == null
        ? Optional.empty()
        : Optional.of(
            new Asked(first.toInstant(), row.getObject(2, OffsetDateTime.class).toInstant()));
  }
}
