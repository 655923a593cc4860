package io.onceflow.stripe;

import io.onceflow.inbox.internal.audit.AuditEntry;
import io.onceflow.inbox.internal.audit.AuditLog;
import io.onceflow.inbox.internal.audit.AuditSubject;
import io.onceflow.internal.database.DatabaseTransaction;
import io.onceflow.internal.database.LeaseCondition;
import io.onceflow.sql.Sql;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The refunds that were asked of Stripe: the table {@code stripe_refund}. */
@Singleton
class StripeRefundTable {

  /** References of a page of changed entries. */
  static final int PAGE = 1_000;

  private static final String COLUMNS =
      "key, reference, intent_id, attempt, failure, failed_refund,"
          + " array_to_string(retried, ' ') AS retried, money_with";

  /** A request may be under way for so long: until then no operator can resolve its refund. */
  private static final String ASKING_FOR = "interval '1 minute'";

  private static final String BEGIN =
      """
      INSERT INTO stripe_refund AS refund (key, reference, intent_id, asking_until)
      VALUES (?, ?, ?, now() + %s)
      ON CONFLICT (key) DO UPDATE
         SET asking_until = CASE WHEN refund.resolved_at IS NULL THEN excluded.asking_until END
      RETURNING %s
      """
          .formatted(ASKING_FOR, COLUMNS);

  /** An event may have told that the refund has failed before its request was answered. */
  private static final String SUCCEEDED =
      """
      UPDATE stripe_refund
      SET    failure = NULL, failed_refund = NULL, asking_until = NULL
      WHERE  key = ?
      AND    failed_refund IS DISTINCT FROM ?
      """;

  private static final String KEY_USED_UP =
      """
      UPDATE stripe_refund
      SET    attempt = attempt + 1, failure = ?, asking_until = NULL
      WHERE  key = ?
      AND    attempt = ?
      """;

  private static final String FAILED =
      """
      INSERT INTO stripe_refund AS refund (key, reference, intent_id, failure, failed_refund)
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (key) DO UPDATE
         SET failure = excluded.failure, failed_refund = excluded.failed_refund, asking_until = NULL
       WHERE refund.resolved_at IS NULL
       AND   excluded.failed_refund <> ALL (refund.retried)
      RETURNING key
      """;

  /** It stays failed until it has succeeded: the next request may not be answered. */
  private static final String RETRY =
      """
      UPDATE stripe_refund
      SET    retried       = CASE WHEN failed_refund IS NULL THEN retried ELSE retried || failed_refund END,
             attempt       = CASE WHEN failed_refund IS NULL THEN attempt ELSE attempt + 1 END,
             failed_refund = NULL,
             asking_until  = now() + %s
      WHERE  key = ?
      AND    failure IS NOT NULL
      AND    resolved_at IS NULL
      RETURNING %s
      """
          .formatted(ASKING_FOR, COLUMNS);

  private static final String RESOLVE =
      """
      UPDATE stripe_refund
      SET    money_with = ?, resolved_at = now()
      WHERE  key = ?
      AND    failure IS NOT NULL
      AND    resolved_at IS NULL
      AND    (asking_until IS NULL OR %s)
      RETURNING %s
      """
          .formatted(LeaseCondition.isOver("asking_until", ASKING_FOR), COLUMNS);

  private static final String FIND =
      "SELECT %s FROM stripe_refund WHERE key = ?".formatted(COLUMNS);

  private static final String OF_REFERENCE =
      "SELECT %s FROM stripe_refund WHERE reference = ? ORDER BY created_at LIMIT 100"
          .formatted(COLUMNS);

  private static final String OPEN =
      """
      SELECT %s
      FROM   stripe_refund
      WHERE  failure IS NOT NULL
      AND    resolved_at IS NULL
      ORDER  BY created_at
      LIMIT  100
      """
          .formatted(COLUMNS);

  private static final String FAILURE =
      """
      SELECT failure
      FROM   stripe_refund
      WHERE  reference = ?
      AND    intent_id = ?
      AND    failure IS NOT NULL
      AND    resolved_at IS NULL
      """;

  private static final String BEGUN_IN =
      """
      SELECT DISTINCT intent_id
      FROM   stripe_refund
      WHERE  created_at >= ?
      AND    created_at < ?
      AND    intent_id > ?
      ORDER  BY intent_id
      LIMIT  %s
      """
          .formatted(PAGE);

  private static final String RESOLVED =
      """
      SELECT intent_id, money_with
      FROM   stripe_refund
      WHERE  money_with IS NOT NULL
      AND    (?::text IS NULL OR intent_id = ?)
      """;

  private final DataSource database;

  StripeRefundTable(DataSource database) {
    this.database = database;
  }

  /** Who has the money of a refund that Stripe does not carry out. */
  enum MoneyWith {
    /** It was given back in another way: a transfer, a dispute that the customer has won. */
    CUSTOMER,
    /** It stays with the merchant. */
    MERCHANT
  }

  /**
   * A refund.
   *
   * @param attempt how many of Stripe's idempotency keys were used up
   * @param failure Stripe's code; null where nothing failed
   * @param failedRefund Stripe's id of the refund that failed; null where none was made
   * @param retried failed refunds that an operator has had requested again
   * @param moneyWith as an operator has resolved it; null where none has
   */
  record Stored(
      String key,
      String reference,
      String intent,
      long attempt,
      @Nullable String failure,
      @Nullable String failedRefund,
      Set<String> retried,
      @Nullable MoneyWith moneyWith) {

    /** A key under which Stripe has not answered yet with an error that it would repeat. */
    String idempotencyKey() {
      return attempt == 0 ? key : key + "-" + (attempt + 1);
    }
  }

  /** Records that a refund is about to be asked for, unless it is resolved. */
  Stored begin(String key, String reference, String intent) {
    return write(key, connection -> one(connection, BEGIN, key, reference, intent)).orElseThrow();
  }

  /** Records that the money goes back by a refund that was made elsewhere. */
  void refundedByHand(Stored refund) {
    succeeded(refund, "");
  }

  /**
   * Records that the money goes back.
   *
   * @param made Stripe's id of the refund
   */
  void succeeded(Stored refund, String made) {
    write(refund.key(), connection -> Sql.update(connection, SUCCEEDED, refund.key(), made));
  }

  /**
   * Records that Stripe repeats an error under the refund's idempotency key.
   *
   * @return the refund with its next one
   */
  Stored keyUsedUp(Stored refund, String code) {
    return write(
        refund.key(),
        connection -> {
          Sql.update(connection, KEY_USED_UP, code, refund.key(), refund.attempt());
          return one(connection, FIND, refund.key()).orElseThrow();
        });
  }

  /** Records that a refund has failed, which is not requested again by itself. */
  void failed(String key, String reference, String intent, String failedRefund, String code) {
    write(key, connection -> failed(connection, key, reference, intent, failedRefund, code));
  }

  /**
   * The same, of one that an event tells of.
   *
   * @return false where that is known, or resolved
   */
  static boolean failed(
      Connection connection,
      String key,
      String reference,
      String intent,
      String failedRefund,
      String code)
      throws SQLException {
    return Sql.find(connection, FAILED, row -> true, key, reference, intent, code, failedRefund)
        .isPresent();
  }

  /** Of something that was paid. */
  List<Stored> of(String reference) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Sql.query(connection, OF_REFERENCE, StripeRefundTable::stored, reference);
    }
  }

  /** Those that failed and are not resolved, oldest first. */
  List<Stored> open() throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Sql.query(connection, OPEN, StripeRefundTable::stored);
    }
  }

  Optional<Stored> find(String key) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return one(connection, FIND, key);
    }
  }

  /** Why the refund of a charge has failed; empty where none has, or it is resolved. */
  Optional<String> failure(String reference, String intent) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Sql.find(
          connection,
          FAILURE,
          row -> Objects.requireNonNull(row.text("failure")),
          reference,
          intent);
    }
  }

  /** The charges whose refunds were asked for first between two moments. */
  List<String> begunIn(Instant from, Instant before, @Nullable String after) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Sql.query(
          connection,
          BEGUN_IN,
          row -> Objects.requireNonNull(row.text("intent_id")),
          from,
          before,
          Objects.requireNonNullElse(after, ""));
    }
  }

  /**
   * The charges whose refund an operator has resolved, and who has the money.
   *
   * @param intent of which alone; null for all
   */
  Map<String, MoneyWith> resolved(@Nullable String intent) throws SQLException {
    Map<String, MoneyWith> resolved = new HashMap<>();
    try (Connection connection = database.getConnection()) {
      Sql.query(
          connection,
          RESOLVED,
          row ->
              resolved.put(
                  Objects.requireNonNull(row.text("intent_id")),
                  MoneyWith.valueOf(Objects.requireNonNull(row.text("money_with")))),
          intent,
          intent);
    }
    return resolved;
  }

  /** Lets a refund that failed be requested again; who has said so is recorded elsewhere. */
  Optional<Stored> retry(String key) {
    return write(key, connection -> one(connection, RETRY, key));
  }

  /**
   * Has a refund that failed requested again.
   *
   * @return empty where nothing failed, or it is resolved
   */
  Optional<Stored> retry(String key, String operator, String reason) throws SQLException {
    return DatabaseTransaction.call(
        database,
        tx -> {
          Optional<Stored> retried = one(tx, RETRY, key);
          if (retried.isPresent()) {
            record(tx, operator, "retry", retried.get(), reason, null);
          }
          return retried;
        });
  }

  /**
   * Ends a refund that failed: it is never requested again.
   *
   * @return empty where nothing failed, it is resolved, or a request may be under way
   */
  Optional<Stored> resolve(String key, MoneyWith moneyWith, String operator, String reason)
      throws SQLException {
    return DatabaseTransaction.call(
        database,
        tx -> {
          Optional<Stored> resolved = one(tx, RESOLVE, moneyWith.name(), key);
          if (resolved.isPresent()) {
            record(tx, operator, "resolve", resolved.get(), reason, "money with " + moneyWith);
          }
          return resolved;
        });
  }

  private static void record(
      Connection tx,
      String operator,
      String action,
      Stored refund,
      String reason,
      @Nullable String detail)
      throws SQLException {
    AuditSubject subject = new AuditSubject("refund", refund.key());
    String of = "of %s, %s".formatted(refund.reference(), refund.intent());
    AuditLog.record(
        tx,
        new AuditEntry(
            operator, action, subject, reason, detail == null ? of : of + ": " + detail));
  }

  private static Optional<Stored> one(Connection connection, String sql, Object... parameters)
      throws SQLException {
    return Sql.find(connection, sql, StripeRefundTable::stored, parameters);
  }

  private static Stored stored(Sql.Row row) throws SQLException {
    String moneyWith = row.text("money_with");
    return new Stored(
        Objects.requireNonNull(row.text("key")),
        Objects.requireNonNull(row.text("reference")),
        Objects.requireNonNull(row.text("intent_id")),
        Objects.requireNonNull(row.bigint("attempt")),
        row.text("failure"),
        row.text("failed_refund"),
        Set.copyOf(Arrays.asList(Objects.requireNonNull(row.text("retried")).split(" "))),
        moneyWith == null ? null : MoneyWith.valueOf(moneyWith));
  }

  @FunctionalInterface
  private interface Work<T> {
    T in(Connection connection) throws SQLException;
  }

  private <T> T write(String key, Work<T> work) {
    try (Connection connection = database.getConnection()) {
      return work.in(connection);
    } catch (SQLException e) {
      throw new StripeUnavailable("refund %s cannot be recorded".formatted(key), e);
    }
  }
}
