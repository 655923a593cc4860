package io.onceflow.easypost;

import io.onceflow.inbox.internal.audit.AuditEntry;
import io.onceflow.inbox.internal.audit.AuditLog;
import io.onceflow.inbox.internal.audit.AuditSubject;
import io.onceflow.internal.database.DatabaseTransaction;
import io.onceflow.reconciliation.BookEntry;
import io.onceflow.sql.Sql;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What has become of asking for the money of labels: columns of {@code easypost_request}. */
@Singleton
class EasyPostRefundTable {

  /** References of a page of changed entries. */
  static final int PAGE = 1_000;

  private static final String COLUMNS =
      "shipment_id, subject, tracking_code, refund_failure, resolved_at IS NOT NULL AS is_resolved";

  private static final String FAILED =
      """
      UPDATE easypost_request
      SET    refund_failure = ?
      WHERE  shipment_id = ?
      AND    given_up
      AND    resolved_at IS NULL
      """;

  private static final String REFUNDED =
      """
      UPDATE easypost_request
      SET    refund_failure = NULL
      WHERE  shipment_id = ?
      AND    refund_failure IS NOT NULL
      AND    resolved_at IS NULL
      """;

  /** It stays failed until it has succeeded: the next request may not be answered. */
  private static final String RETRY =
      """
      SELECT %s
      FROM   easypost_request
      WHERE  shipment_id = ?
      AND    given_up
      AND    refund_failure IS NOT NULL
      AND    resolved_at IS NULL
      """
          .formatted(COLUMNS);

  private static final String RESOLVE =
      """
      UPDATE easypost_request
      SET    resolved_at = now()
      WHERE  shipment_id = ?
      AND    given_up
      AND    resolved_at IS NULL
      RETURNING %s
      """
          .formatted(COLUMNS);

  private static final String FIND =
      """
      SELECT %s
      FROM   easypost_request
      WHERE  shipment_id = ?
      AND    given_up
      """
          .formatted(COLUMNS);

  private static final String OF_SUBJECT =
      """
      SELECT   %s
      FROM     easypost_request
      WHERE    subject = ?
      AND      given_up
      AND      shipment_id IS NOT NULL
      ORDER BY created_at
      LIMIT    100
      """
          .formatted(COLUMNS);

  private static final String OPEN =
      """
      SELECT   %s
      FROM     easypost_request
      WHERE    refund_failure IS NOT NULL
      AND      resolved_at IS NULL
      ORDER BY created_at
      LIMIT    100
      """
          .formatted(COLUMNS);

  private static final String BEGUN_IN =
      """
      SELECT DISTINCT tracking_code
      FROM   easypost_request
      WHERE  given_up_at >= ?
      AND    given_up_at < ?
      AND    tracking_code ~ '^%s$'     -- as an entry of a book
      AND    tracking_code > ?
      ORDER  BY tracking_code
      LIMIT  %s
      """
          .formatted(BookEntry.REFERENCE, PAGE);

  private static final String RESOLVED =
      """
      SELECT shipment_id
      FROM   easypost_request
      WHERE  resolved_at IS NOT NULL
      """;

  private final DataSource database;

  EasyPostRefundTable(DataSource database) {
    this.database = database;
  }

  /**
   * A label that is given up.
   *
   * @param subject of its request, such as an order's id
   * @param failure why its money does not come back, in EasyPost's word; null where nothing failed
   * @param isResolved whether an operator has ended its refund
   */
  record LabelRefund(
      String shipmentId,
      String subject,
      @Nullable String trackingCode,
      @Nullable String failure,
      boolean isResolved) {}

  /** Records that EasyPost does not refund a label. */
  void failed(String shipmentId, String code) {
    update(FAILED, code, shipmentId);
  }

  /** Records that EasyPost refunds a label, or has nothing to refund. */
  void refunded(String shipmentId) {
    update(REFUNDED, shipmentId);
  }

  private void update(String sql, String... parameters) {
    try (Connection connection = database.getConnection()) {
      Sql.update(connection, sql, (Object[]) parameters);
    } catch (SQLException e) {
      throw new EasyPostUnavailable(
          "a refund cannot be noted (%s)".formatted(String.join(", ", parameters)), e);
    }
  }

  /** Whether an operator has ended the refund of a label. */
  boolean isResolved(String shipmentId) {
    try {
      return find(shipmentId).filter(LabelRefund::isResolved).isPresent();
    } catch (SQLException e) {
      throw new EasyPostUnavailable("the refund of %s cannot be read".formatted(shipmentId), e);
    }
  }

  /** The refund of a label that is given up. */
  Optional<LabelRefund> find(String shipmentId) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Sql.find(connection, FIND, EasyPostRefundTable::read, shipmentId);
    }
  }

  /** Of a request's subject. */
  List<LabelRefund> of(String subject) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Sql.query(connection, OF_SUBJECT, EasyPostRefundTable::read, subject);
    }
  }

  /** Those that failed and are not resolved, oldest first. */
  List<LabelRefund> open() throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Sql.query(connection, OPEN, EasyPostRefundTable::read);
    }
  }

  /** The tracking codes of the labels that were given up between two moments. */
  List<String> begunIn(Instant from, Instant before, @Nullable String after) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Sql.query(
          connection,
          BEGUN_IN,
          row -> Objects.requireNonNull(row.text("tracking_code")),
          from,
          before,
          Objects.requireNonNullElse(after, ""));
    }
  }

  /** The shipments whose refund an operator has ended. */
  Set<String> resolved() throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Set.copyOf(
          Sql.query(connection, RESOLVED, row -> Objects.requireNonNull(row.text("shipment_id"))));
    }
  }

  /**
   * Notes that an operator has a refund that failed requested again.
   *
   * @return empty where nothing failed, or it is resolved
   */
  Optional<LabelRefund> retry(String shipmentId, String operator, String reason)
      throws SQLException {
    return audited(RETRY, "retry", shipmentId, operator, reason);
  }

  /**
   * Ends the refund of a label that is given up.
   *
   * @return empty where there is none, or it was ended before
   */
  Optional<LabelRefund> resolve(String shipmentId, String operator, String reason)
      throws SQLException {
    return audited(RESOLVE, "resolve", shipmentId, operator, reason);
  }

  private Optional<LabelRefund> audited(
      String sql, String action, String shipmentId, String operator, String reason)
      throws SQLException {
    return DatabaseTransaction.call(
        database,
        tx -> {
          Optional<LabelRefund> refund = Sql.find(tx, sql, EasyPostRefundTable::read, shipmentId);
          if (refund.isPresent()) {
            AuditSubject label = new AuditSubject("label", shipmentId);
            String of = "of " + refund.get().subject();
            AuditLog.record(tx, new AuditEntry(operator, action, label, reason, of));
          }
          return refund;
        });
  }

  private static LabelRefund read(Sql.Row row) throws SQLException {
    return new LabelRefund(
        Objects.requireNonNull(row.text("shipment_id")),
        Objects.requireNonNull(row.text("subject")),
        row.text("tracking_code"),
        row.text("refund_failure"),
        row.truth("is_resolved"));
  }
}
