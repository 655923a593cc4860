package io.onceflow.inbox.internal.parking;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.UnprocessableMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** {@code parked_message}, for those who look at it and take from it. */
final class ParkedTable {

  private static final String NEWEST =
      """
      SELECT   id, queue, message_id, type, correlation_id, reason, detail, parked_at,
               attempts, next_attempt_at
      FROM     parked_message
      WHERE    ?::uuid IS NULL OR id < ?
      ORDER BY id DESC                -- UUIDv7: the order of time
      LIMIT    ?
      """;

  private static final String COUNT =
      "SELECT count(*) FROM (SELECT FROM parked_message LIMIT ?) AS counted";

  private static final String FIND = "SELECT * FROM parked_message WHERE id = ?";

  /** By the database's clock, as all that is compared with what it has written. */
  private static final String IS_OLDER =
      """
      SELECT parked_at < now() - make_interval(secs => ?)
      FROM   parked_message
      WHERE  id = ?
      """;

  /** Locks the row, too: a concurrent transaction waits, and finds it gone or unchanged. */
  private static final String TAKE = "DELETE FROM parked_message WHERE id = ? RETURNING *";

  /** Counts the attempt before it is made; the pause after it keeps others away until then. */
  private static final String CLAIM_DUE =
      """
      UPDATE parked_message
      SET    attempts = attempts + 1,
             next_attempt_at =
               now() + make_interval(secs => least(? * power(2, least(attempts - 1, 30)), ?))
      WHERE  id IN (SELECT   id
                    FROM     parked_message
                    WHERE    next_attempt_at <= now()
                    ORDER BY next_attempt_at
                    LIMIT    ?
                    FOR UPDATE SKIP LOCKED)
      RETURNING id, attempts
      """;

  private static final String GIVE_UP =
      "UPDATE parked_message SET next_attempt_at = NULL WHERE id = ?";

  private static final String EXPLAIN =
      "UPDATE parked_message SET reason = ?, detail = ? WHERE id = ?";

  private static final TypeReference<Map<String, String>> HEADERS = new TypeReference<>() {};

  private final ObjectMapper json;

  ParkedTable(ObjectMapper json) {
    this.json = json;
  }

  /** The newest first, those before {@code before} only unless that is null. */
  List<ParkedMessage> newest(Connection connection, @Nullable UUID before, int limit)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(NEWEST)) {
      select.setObject(1, before);
      select.setObject(2, before);
      select.setInt(3, limit);
      try (ResultSet rows = select.executeQuery()) {
        List<ParkedMessage> parked = new ArrayList<>();
        while (rows.next()) {
          parked.add(listed(rows));
        }
        return parked;
      }
    }
  }

  /** How many there are, up to so many. */
  long count(Connection connection, int most) throws SQLException {
    try (PreparedStatement count = connection.prepareStatement(COUNT)) {
      count.setInt(1, most);
      try (ResultSet row = count.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  Optional<ParkedMessageDetail> find(Connection connection, UUID id) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(FIND)) {
      select.setObject(1, id);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? Optional.of(inFull(row)) : Optional.empty();
      }
    }
  }

  /** Whether it was parked longer ago than this; false too when it is not there. */
  boolean isOlder(Connection connection, UUID id, Duration age) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(IS_OLDER)) {
      select.setDouble(1, seconds(age));
      select.setObject(2, id);
      try (ResultSet row = select.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }

  /** Takes a message out, to be settled in the same transaction; empty when it is not there. */
  Optional<Delivery> take(Connection connection, UUID id) throws SQLException {
    try (PreparedStatement take = connection.prepareStatement(TAKE)) {
      take.setObject(1, id);
      try (ResultSet row = take.executeQuery()) {
        return row.next() ? Optional.of(delivery(row)) : Optional.empty();
      }
    }
  }

  /** Those whose next attempt is due; each is counted and theirs who claims it. */
  List<FailedMessages.Due> claimDue(Connection connection, InboxConfig.Handling config, int most)
      throws SQLException {
    try (PreparedStatement claim = connection.prepareStatement(CLAIM_DUE)) {
      claim.setDouble(1, seconds(config.firstBackoff()));
      claim.setDouble(2, seconds(config.longestBackoff()));
      claim.setInt(3, most);
      try (ResultSet rows = claim.executeQuery()) {
        List<FailedMessages.Due> due = new ArrayList<>();
        while (rows.next()) {
          due.add(
              new FailedMessages.Due(rows.getObject("id", UUID.class), rows.getInt("attempts")));
        }
        return due;
      }
    }
  }

  /** Lets it be until an operator comes. */
  void giveUp(Connection connection, UUID id) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(GIVE_UP)) {
      update.setObject(1, id);
      update.executeUpdate();
    }
  }

  /** Says anew why a message is parked. */
  void explain(Connection connection, UUID id, UnprocessableMessage why) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(EXPLAIN)) {
      update.setString(1, why.reason().word());
      update.setString(2, Parking.detail(why));
      update.setObject(3, id);
      update.executeUpdate();
    }
  }

  private static ParkedMessage listed(ResultSet row) throws SQLException {
    return new ParkedMessage(
        row.getObject("id", UUID.class),
        row.getString("queue"),
        row.getString("message_id"),
        row.getString("type"),
        row.getString("correlation_id"),
        row.getString("reason"),
        row.getString("detail"),
        parkedAt(row),
        row.getInt("attempts"),
        instant(row, "next_attempt_at"));
  }

  private ParkedMessageDetail inFull(ResultSet row) throws SQLException {
    return new ParkedMessageDetail(
        row.getObject("id", UUID.class),
        row.getString("queue"),
        row.getString("message_id"),
        row.getString("type"),
        row.getString("correlation_id"),
        row.getString("reply_to"),
        row.getString("reason"),
        row.getString("detail"),
        parkedAt(row),
        row.getInt("attempts"),
        instant(row, "next_attempt_at"),
        headers(row),
        new String(row.getBytes("payload"), UTF_8));
  }

  /** As the transport handed it over; it was acknowledged when it was parked. */
  private Delivery delivery(ResultSet row) throws SQLException {
    return new Delivery(
            row.getString("queue"),
            row.getString("message_id"),
            row.getString("type"),
            row.getString("correlation_id"),
            row.getString("reply_to"),
            headers(row),
            row.getBytes("payload"),
            () -> {})
        .routedBy(row.getString("routing_key"));
  }

  private Map<String, String> headers(ResultSet row) throws SQLException {
    try {
      return json.readValue(row.getString("headers"), HEADERS);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("headers are written as a map of strings", e);
    }
  }

  private static Instant parkedAt(ResultSet row) throws SQLException {
    return row.getObject("parked_at", OffsetDateTime.class).toInstant();
  }

  private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    @Nullable OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1_000.0;
  }
}
