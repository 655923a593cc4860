package io.onceflow.saga.internal.store.view;

import static java.util.Objects.requireNonNull;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds sagas by one text: their id or their subject's, whole or its last twelve digits as lists
 * show them, the idempotency key, or the customer. Whole ids and customers are found among all, by
 * indexes; the others, of which there are none, among the open sagas and the newest {@value
 * #RECENT}.
 */
public final class SagaSearch {

  /** An operator looks through so many. */
  private static final int MOST = 50;

  private static final int RECENT = 20_000;

  private static final String AT_MOST = "SET LOCAL statement_timeout = '2s'";

  private static final Pattern WHOLE =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

  private static final Pattern SHORT = Pattern.compile("\\p{XDigit}{12}");

  private static final String COLUMNS = "id, definition, version, subject_id, status, started_at";

  private static final String BY_ID =
      """
      SELECT 'saga' AS found_by, %1$s
      FROM   saga_instance
      WHERE  id = ?
      UNION ALL
      SELECT 'subject', %1$s
      FROM   saga_instance
      WHERE  subject_id = ?
      AND    %2$s
      LIMIT  %3$s
      """
          .formatted(COLUMNS, SagaList.OF_ANY_DEFINITION, MOST);

  private static final String BY_TEXT =
      """
      WITH recent AS (
        SELECT %1$s, root_key
        FROM   saga_instance
        WHERE  next_action_at IS NOT NULL
        UNION
        (SELECT   %1$s, root_key
         FROM     saga_instance
         ORDER BY id DESC
         LIMIT    %2$s)
      )
      SELECT found_by, %1$s
      FROM   (SELECT CASE WHEN right(id::text, 12) = ? THEN 'saga'
                          WHEN right(subject_id::text, 12) = ? THEN 'subject'
                          WHEN root_key = ? THEN 'key' END AS found_by, %1$s
              FROM   recent
              UNION ALL
              (SELECT   'customer', %1$s
               FROM     saga_instance
               WHERE    scope = ?
               LIMIT    %3$s)) AS found
      WHERE  found_by IS NOT NULL
      ORDER  BY id DESC
      LIMIT  %3$s
      """
          .formatted(COLUMNS, RECENT, MOST);

  /**
   * A saga.
   *
   * @param foundBy {@code saga}, {@code subject}, {@code key} or {@code customer}
   */
  public record Hit(
      String foundBy,
      UUID id,
      String definition,
      int version,
      UUID subjectId,
      SagaStatus status,
      Instant startedAt) {

    private static Hit of(Row row) throws SQLException {
      return new Hit(
          requireNonNull(row.text("found_by")),
          requireNonNull(row.uuid("id")),
          requireNonNull(row.text("definition")),
          row.integer("version"),
          requireNonNull(row.uuid("subject_id")),
          requireNonNull(row.constant("status", SagaStatus.class)),
          requireNonNull(row.time("started_at")));
    }
  }

  private SagaSearch() {}

  /**
   * The newest first.
   *
   * @param seesPersonalData whether the reader may search by key and customer
   */
  public static List<Hit> find(Connection tx, String text, boolean seesPersonalData)
      throws SQLException {
    Sql.update(tx, AT_MOST);
    if (WHOLE.matcher(text).matches()) {
      UUID id = UUID.fromString(text);
      List<Hit> found = Sql.query(tx, BY_ID, Hit::of, id, id);
      if (!found.isEmpty()) {
        return found;
      }
    }
    String digits = SHORT.matcher(text).matches() ? text.toLowerCase(Locale.ROOT) : null;
    @Nullable String personal = seesPersonalData ? text : null;
    return digits == null && personal == null
        ? List.of()
        : Sql.query(tx, BY_TEXT, Hit::of, digits, digits, personal, personal);
  }
}
