package io.onceflow.saga.internal.store.view;

import io.onceflow.saga.internal.operators.SagaFilterReader;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.view.SagaFilter.Page;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A filter with some parts, and what it finds. */
public record Wanted(Map<String, Object> parts, Page page) {

  private static final Page NEWEST = new Page(null, true, 10);

  static List<UUID> found(Wanted wanted) throws SQLException {
    return find(wanted).stream().map(SagaSummary::id).toList();
  }

  /** The lines of a page. */
  public static List<SagaSummary> find(Wanted wanted) throws SQLException {
    return SagaDatabase.inTransaction(tx -> SagaList.find(tx, wanted.filter(), wanted.page()));
  }

  static int count(Wanted wanted) throws SQLException {
    return SagaDatabase.inTransaction(tx -> SagaList.count(tx, wanted.filter()));
  }

  /** Of any sagas, the newest first. */
  public static Wanted any() {
    return new Wanted(Map.of(), NEWEST);
  }

  SagaFilter filter() {
    return SagaFilterReader.read(parts);
  }

  /** With one part more; null adds none. */
  public Wanted with(String part, @Nullable Object value) {
    Map<String, Object> more = new HashMap<>(parts);
    if (value != null) {
      more.put(part, value);
    }
    return new Wanted(more, page);
  }

  /** Another page. */
  public Wanted page(Page other) {
    return new Wanted(parts, other);
  }
}
