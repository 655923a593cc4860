package io.onceflow.saga.internal.store;

import static io.onceflow.sql.Column.texts;
import static io.onceflow.sql.Column.uuids;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * What operators find sagas by, beside their own columns: the attributes that a definition declares
 * as searchable. They are written with the saga, never changed, and deleted with it.
 */
public final class SagaAttributes {

  /** Of a longer value so much is kept and searched for: enough to be told apart by. */
  static final int LONGEST = 200;

  private SagaAttributes() {}

  private record Attribute(UUID saga, String name, String value) {}

  static void insert(Connection tx, Collection<? extends LockedSaga<?>> sagas) throws SQLException {
    String insert =
        """
        INSERT INTO saga_attribute (saga_id, name, value)
        SELECT saga_id, name, value
        FROM   unnest(?::uuid[], ?::text[], ?::text[]) AS started (saga_id, name, value)
        """;
    List<Attribute> all = sagas.stream().flatMap(SagaAttributes::of).toList();
    if (!all.isEmpty()) {
      Sql.update(
          tx,
          insert,
          uuids(all, Attribute::saga),
          texts(all, Attribute::name),
          texts(all, Attribute::value));
    }
  }

  private static <D> Stream<Attribute> of(LockedSaga<D> saga) {
    return saga.definition().attributes(saga.subject()).entrySet().stream()
        .map(it -> new Attribute(saga.state().id(), it.getKey(), searchable(it.getValue())));
  }

  /**
   * A value as it is kept and looked for: its beginning, in which what PostgreSQL cannot store, NUL
   * and halves of surrogate pairs, is replaced. A start must not fail for it.
   */
  public static String searchable(String value) {
    String beginning =
        value.codePointCount(0, value.length()) <= LONGEST
            ? value
            : value.substring(0, value.offsetByCodePoints(0, LONGEST));
    return Sql.storable(new String(beginning.getBytes(UTF_8), UTF_8));
  }

  /** What sagas have, by their names; nothing for a saga that has none. */
  public static Map<UUID, Map<String, String>> find(Connection tx, Collection<UUID> sagas)
      throws SQLException {
    String select =
        """
        SELECT   saga_id, name, value
        FROM     saga_attribute
        WHERE    saga_id = ANY (?)
        ORDER BY saga_id, name
        """;
    Map<UUID, Map<String, String>> found = new HashMap<>();
    Sql.query(tx, select, row -> add(row, found), uuids(sagas));
    return found;
  }

  private static UUID add(Row row, Map<UUID, Map<String, String>> found) throws SQLException {
    UUID saga = row.uuid("saga_id");
    found
        .computeIfAbsent(saga, it -> new LinkedHashMap<>())
        .put(row.text("name"), row.text("value"));
    return saga;
  }

  /** Deletes those of sagas that are deleted in this transaction. */
  public static void delete(Connection tx, Collection<UUID> sagas) throws SQLException {
    Sql.update(tx, "DELETE FROM saga_attribute WHERE saga_id = ANY (?)", uuids(sagas));
  }
}
