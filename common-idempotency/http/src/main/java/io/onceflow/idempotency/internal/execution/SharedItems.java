package io.onceflow.idempotency.internal.execution;

import io.onceflow.idempotency.GuardedRequest.SharedWrite;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The items to be written, by writer, in the order in which they were registered. */
public final class SharedItems {

  private final Map<SharedWrite<?>, List<Object>> byWriter = new LinkedHashMap<>();

  public <T> void add(SharedWrite<T> writer, T item) {
    byWriter.computeIfAbsent(writer, w -> new ArrayList<>()).add(item);
  }

  void addAll(SharedItems others) {
    others.byWriter.forEach(
        (writer, items) -> byWriter.computeIfAbsent(writer, w -> new ArrayList<>()).addAll(items));
  }

  void writeAll() throws SQLException {
    for (Map.Entry<SharedWrite<?>, List<Object>> entry : byWriter.entrySet()) {
      write(entry.getKey(), entry.getValue());
    }
  }

  @SuppressWarnings("unchecked") // add() takes a writer only with items of its type
  private static <T> void write(SharedWrite<T> writer, List<Object> items) throws SQLException {
    writer.write((List<T>) items);
  }
}
