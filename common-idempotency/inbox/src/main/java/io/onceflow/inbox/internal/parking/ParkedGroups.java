package io.onceflow.inbox.internal.parking;

import static java.util.Objects.requireNonNull;

import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** Groups what is parked by its cause: an outage parks thousands of messages for one or two. */
@ApplicationScoped
public class ParkedGroups {

  /** More causes than an operator reads; the largest groups come first. */
  static final int MOST = 100;

  /** Of more messages the newest so many are grouped, which takes a few hundred milliseconds. */
  static final int MOST_MESSAGES = 50_000;

  private static final String CAUSE = causeOf("detail");

  private static final String MD5 = "md5(concat_ws(E'\\n', queue, coalesce(type, ''), reason, %s))";

  /** Of a row of {@code parked_message}. */
  static final String FINGERPRINT = MD5.formatted(CAUSE);

  static final String GROUPS =
      """
      SELECT   %s AS fingerprint, queue, type, reason, cause, count(*) AS messages,
               min(parked_at) AS first_at, max(parked_at) AS last_at,
               sum(redrives)::bigint AS redrives, count(next_attempt_at) AS waiting,
               array_to_string((array_agg(id ORDER BY id DESC))[1:3], ',') AS samples
      FROM     (SELECT   id, queue, type, reason, parked_at, redrives, next_attempt_at, %s AS cause
                FROM     parked_message
                WHERE    %s
                ORDER BY id DESC
                LIMIT    ?) AS newest
      GROUP BY queue, type, reason, cause
      ORDER BY messages DESC, last_at DESC
      LIMIT    ?
      """
          .formatted(MD5.formatted("cause"), CAUSE, ParkedMessages.NOT_DEFERRED);

  private final DataSource database;

  public ParkedGroups(DataSource database) {
    this.database = database;
  }

  /**
   * What an error has in common with others of the same cause: without the note of attempts at its
   * end, and without quoted values, numbers and ids, which are words of hexadecimal digits.
   *
   * @param error the SQL expression of its text
   */
  public static String causeOf(String error) {
    return """
        regexp_replace(split_part(left(%s, 500), ' (attempt', 1),
                       '"[^"]*"|\\m[0-9a-fA-F-]*[0-9][0-9a-fA-F-]*\\M', '*', 'g')\
        """
        .formatted(error);
  }

  /** The largest first. */
  public List<ParkedGroup> largest() throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Sql.query(connection, GROUPS, ParkedGroups::group, MOST_MESSAGES, MOST);
    }
  }

  private static ParkedGroup group(Row row) throws SQLException {
    return new ParkedGroup(
        requireNonNull(row.text("fingerprint")),
        requireNonNull(row.text("queue")),
        row.text("type"),
        requireNonNull(row.text("reason")),
        row.text("cause"),
        requireNonNull(row.bigint("messages")),
        requireNonNull(row.time("first_at")),
        requireNonNull(row.time("last_at")),
        requireNonNull(row.bigint("redrives")),
        requireNonNull(row.bigint("waiting")),
        Arrays.stream(requireNonNull(row.text("samples")).split(","))
            .map(UUID::fromString)
            .toList());
  }
}
