package io.onceflow.saga.internal.store;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.sql.Sql;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What one write adds to a saga's history.
 *
 * @param revision of the saga after the write
 * @param at the time of the first entry, and of all that say no other
 * @param entries as JSON
 */
public record JournalRow(UUID saga, long revision, Instant at, String entries) {

  /** The row of these entries; empty where there is none. */
  static Optional<JournalRow> of(SagaState written, List<HistoryEntry> history) {
    return history.isEmpty()
        ? Optional.empty()
        : Optional.of(of(written.id(), written.revision(), history));
  }

  /** The row of these entries, of which there is at least one. */
  public static JournalRow of(UUID saga, long revision, List<HistoryEntry> history) {
    Instant at = history.getFirst().at();
    ArrayNode entries = JsonNodeFactory.instance.arrayNode();
    history.forEach(entry -> entries.add(json(entry, at)));
    return new JournalRow(saga, revision, at, entries.toString());
  }

  private static ObjectNode json(HistoryEntry entry, Instant at) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("event", entry.event().word());
    if (entry.step() != null) {
      json.put("step", entry.step());
    }
    if (entry.detail() != null) {
      json.put("detail", Sql.storable(entry.detail())); // JSON could be stored, and not be read
    }
    if (!entry.at().equals(at)) {
      json.put("at", entry.at().toString());
    }
    return json;
  }
}
