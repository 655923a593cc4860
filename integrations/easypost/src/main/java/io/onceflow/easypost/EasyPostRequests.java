package io.onceflow.easypost;

import io.onceflow.participant.CallKey;
import io.onceflow.sql.Sql;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The labels that EasyPost is asked for: the table {@code easypost_request}. Each call is a
 * transaction of its own, committed before EasyPost is asked.
 */
@Singleton
class EasyPostRequests {

  /** A purchase that started later than now did so by a clock that was set back since. */
  private static final String BUY_AT =
      "CASE WHEN request.buy_at > clock_timestamp() THEN clock_timestamp() ELSE request.buy_at END";

  private static final String ASK =
      """
      INSERT INTO easypost_request AS request (key, scope, step_key, subject, first_at, last_at)
      VALUES (?, ?, ?, ?, statement_timestamp(), statement_timestamp())   -- the same moment
      ON CONFLICT (key) DO UPDATE
         SET last_at = greatest(clock_timestamp(), request.last_at), buy_at = %s
       WHERE NOT request.given_up
      RETURNING shipment_id, tracking_code,
                CASE WHEN buy_at + make_interval(secs => ?) > clock_timestamp()
                     THEN buy_at + make_interval(secs => ?)
                END AS unsettled_until
      """
          .formatted(BUY_AT);

  private static final String GIVE_UP =
      """
      INSERT INTO easypost_request AS request (key, scope, step_key, subject, given_up, given_up_at)
      VALUES (?, ?, ?, ?, true, now())
      ON CONFLICT (key) DO UPDATE
         SET given_up = true, given_up_at = coalesce(request.given_up_at, now()), buy_at = %s
      RETURNING shipment_id, tracking_code,
                CASE WHEN buy_at + make_interval(secs => ?) > clock_timestamp()
                     THEN buy_at + make_interval(secs => ?)
                END AS unsettled_until
      """
          .formatted(BUY_AT);

  private static final String CHOOSE =
      """
      UPDATE easypost_request
      SET    shipment_id = coalesce(shipment_id, ?)      -- the first one stays
      WHERE  key = ?
      AND    NOT given_up
      RETURNING shipment_id
      """;

  private static final String BEGIN_BUYING =
      """
      UPDATE easypost_request
      SET    buy_at = clock_timestamp()
      WHERE  shipment_id = ?
      AND    key = ?
      AND    NOT given_up
      RETURNING shipment_id
      """;

  private static final String BOUGHT =
      """
      UPDATE easypost_request
      SET    shipment_id = coalesce(shipment_id, ?),
             tracking_code = coalesce(?, tracking_code)
      WHERE  key = ?
      RETURNING shipment_id
      """;

  private static final String GIVE_UP_BOUGHT =
      """
      UPDATE easypost_request
      SET    given_up = true, given_up_at = coalesce(given_up_at, now())
      WHERE  tracking_code = ?
      AND    subject = ?
      RETURNING shipment_id
      """;

  private final DataSource database;

  EasyPostRequests(DataSource database) {
    this.database = database;
  }

  /**
   * A label that was asked for.
   *
   * @param shipmentId of the one shipment that may be bought; null while none is chosen
   * @param trackingCode null unless it is known to be bought
   * @param unsettledUntil until when a request to buy it may still have an effect; null where none
   *     can
   */
  record Asked(
      @Nullable String shipmentId,
      @Nullable String trackingCode,
      @Nullable Instant unsettledUntil) {}

  /**
   * Notes that a label is about to be asked for.
   *
   * @return empty if it was given up: nothing may be bought
   */
  Optional<Asked> ask(CallKey key, String subject, Duration settlingTime) {
    return asked(ASK, key, subject, settlingTime);
  }

  /** Notes that a label is given up: no request to buy it starts any more. */
  Asked giveUp(CallKey key, String subject, Duration settlingTime) {
    return asked(GIVE_UP, key, subject, settlingTime).orElseThrow();
  }

  /**
   * Chooses the shipment that is bought under a key, unless one is.
   *
   * @return the chosen one; empty if the label was given up
   */
  Optional<String> choose(CallKey key, String shipmentId) {
    return shipment(CHOOSE, shipmentId, key.value());
  }

  /** Notes that the chosen shipment is about to be bought, unless the label was given up. */
  boolean beginBuying(CallKey key, String shipmentId) {
    return shipment(BEGIN_BUYING, shipmentId, key.value()).isPresent();
  }

  /**
   * Notes that the chosen shipment has a label.
   *
   * @param trackingCode null where it has none yet
   */
  void bought(String key, String shipmentId, @Nullable String trackingCode) {
    shipment(BOUGHT, shipmentId, trackingCode, key);
  }

  /** The shipment that has this tracking code, which is given up. */
  Optional<String> giveUpBought(String trackingCode, String subject) {
    return shipment(GIVE_UP_BOUGHT, trackingCode, subject);
  }

  private Optional<Asked> asked(String sql, CallKey key, String subject, Duration settlingTime) {
    double settling = settlingTime.toMillis() / 1000d;
    try (Connection connection = database.getConnection()) {
      return Sql.find(
          connection,
          sql,
          row ->
              new Asked(
                  row.text("shipment_id"), row.text("tracking_code"), row.time("unsettled_until")),
          key.value(),
          key.scope(),
          key.stepKey(),
          subject,
          settling,
          settling);
    } catch (SQLException e) {
      throw new EasyPostUnavailable("request %s cannot be noted".formatted(key), e);
    }
  }

  private Optional<String> shipment(String sql, @Nullable String... parameters) {
    try (Connection connection = database.getConnection()) {
      return Sql.find(
              connection,
              sql,
              row -> Optional.ofNullable(row.text("shipment_id")),
              (Object[]) parameters)
          .flatMap(shipment -> shipment);
    } catch (SQLException e) {
      throw new EasyPostUnavailable(
          "a request cannot be noted (%s)".formatted(String.join(", ", parameters)), e);
    }
  }
}
