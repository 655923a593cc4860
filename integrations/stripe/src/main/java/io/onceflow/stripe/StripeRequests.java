package io.onceflow.stripe;

import io.onceflow.participant.CallKey;
import io.onceflow.sql.Sql;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The charges that were asked of Stripe: the table {@code stripe_request}. Each call is a separate
 * transaction, committed before the request to Stripe is sent.
 */
@Singleton
class StripeRequests {

  private static final String ASK =
      """
      INSERT INTO stripe_request AS request (key, scope, step_key, reference, amount, currency, first_at, last_at)
      VALUES (?, ?, ?, ?, ?, ?, statement_timestamp(), statement_timestamp())   -- the same moment
      ON CONFLICT (key) DO UPDATE
         SET last_at = greatest(clock_timestamp(), request.last_at + interval '1 microsecond')
       WHERE NOT request.given_up
      RETURNING first_at, last_at, intent_id, amount, currency
      """;

  private static final String GIVE_UP =
      """
      INSERT INTO stripe_request (key, scope, step_key, reference, given_up)
      VALUES (?, ?, ?, ?, true)
      ON CONFLICT (key) DO UPDATE
         SET given_up = true
      RETURNING first_at, last_at, intent_id, amount, currency
      """;

  private static final String WAIT =
      """
      UPDATE stripe_request
      SET    intent_id = ?
      WHERE  key = ?
      AND    intent_id IS NULL
      """;

  private static final String PENDING =
      """
      SELECT intent_id
      FROM   stripe_request
      WHERE  reference = ?
      AND    scope = ?
      AND    intent_id IS NOT NULL
      ORDER  BY created_at
      LIMIT  10
      """;

  private static final String STEP =
      """
      SELECT scope, step_key
      FROM   stripe_request
      WHERE  key = ?
      """;

  private static final String UNDER_WAY =
      """
      SELECT 1
      FROM   stripe_request
      JOIN   inbox_message USING (scope, step_key)
      WHERE  key = ?
      AND    status = 'STARTED'
      -- Unless its message is with the broker, and has not come again for a day.
      AND    (envelope IS NOT NULL OR lease_expires_at > now() - interval '1 day')
      """;

  private final DataSource database;

  StripeRequests(DataSource database) {
    this.database = database;
  }

  /**
   * How much a charge is of.
   *
   * @param amount as Stripe counts it
   * @param currency ISO 4217
   */
  record Money(long amount, String currency) {}

  /**
   * When a charge was asked for.
   *
   * @param first before the first request
   * @param last before the last one
   * @param intent the id of the payment intent; null unless it was found pending
   * @param money that was asked for
   */
  record Asked(Instant first, Instant last, @Nullable String intent, Money money) {

    /** Stripe forgets keys after 24 hours at the earliest. */
    private static final Duration KEY_LIFE = Duration.ofHours(23);

    boolean isRepeat() {
      return first.isBefore(last);
    }

    /** Whether Stripe still knows the key, if any request was carried out under it. */
    boolean isKeyKept(Instant now) {
      return !first.plus(KEY_LIFE).isBefore(now);
    }
  }

  /**
   * Records that a charge is about to be asked for.
   *
   * @return empty if it was given up: it must not be asked for
   */
  Optional<Asked> ask(CallKey key, String reference, Money money) {
    return write(
        ASK,
        key,
        key.value(),
        key.scope(),
        key.stepKey(),
        reference,
        money.amount(),
        money.currency());
  }

  /**
   * Records that a charge is given up: it is not requested again.
   *
   * @return empty if it was never asked for
   */
  Optional<Asked> giveUp(CallKey key, String reference) {
    return write(GIVE_UP, key, key.value(), key.scope(), key.stepKey(), reference);
  }

  private Optional<Asked> write(String sql, CallKey key, Object... parameters) {
    try (Connection connection = database.getConnection()) {
      return Sql.find(connection, sql, StripeRequests::asked, parameters).flatMap(asked -> asked);
    } catch (SQLException e) {
      throw new StripeUnavailable("request %s cannot be recorded".formatted(key), e);
    }
  }

  private static Optional<Asked> asked(Sql.Row row) throws SQLException {
    Instant first = row.time("first_at");
    return first == null
        ? Optional.empty()
        : Optional.of(
            new Asked(
                first,
                Objects.requireNonNull(row.time("last_at")),
                row.text("intent_id"),
                new Money(
                    Objects.requireNonNull(row.bigint("amount")),
                    Objects.requireNonNull(row.text("currency")))));
  }

  /** The step that charges under a key of Stripe's. */
  static Optional<CallKey> step(Connection connection, String key) throws SQLException {
    return Sql.find(
        connection,
        STEP,
        row ->
            CallKey.of(
                Objects.requireNonNull(row.text("scope")),
                Objects.requireNonNull(row.text("step_key"))),
        key);
  }

  /** Whether the step that charges under a key of Stripe's has started and not ended. */
  boolean isUnderWay(String key) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Sql.find(connection, UNDER_WAY, row -> true, key).isPresent();
    }
  }

  /** The payment intents of a scope's charges that were found pending. */
  List<String> pending(String scope, String reference) {
    if (reference.indexOf('\0') >= 0) { // PostgreSQL refuses it, so nothing here has it
      return List.of();
    }
    try (Connection connection = database.getConnection()) {
      return Sql.query(
          connection,
          PENDING,
          row -> Objects.requireNonNull(row.text("intent_id")),
          reference,
          scope);
    } catch (SQLException e) {
      throw new StripeUnavailable("pending payments of %s cannot be read".formatted(reference), e);
    }
  }

  /** Records the payment intent of a charge that is pending. */
  void waitFor(CallKey key, String intent) {
    try (Connection connection = database.getConnection()) {
      Sql.update(connection, WAIT, intent, key.value());
    } catch (SQLException e) {
      throw new StripeUnavailable("%s of %s cannot be recorded".formatted(intent, key), e);
    }
  }
}
