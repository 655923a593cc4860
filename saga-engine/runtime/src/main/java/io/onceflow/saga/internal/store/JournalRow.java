package io.onceflow.saga.internal.store;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.sql.Sql;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one write adds to a saga's journal.
 *
 * @param revision of the saga after the write
 * @param at the time of the first entry, and of all that say no other
 * @param entries of its history, as JSON
 * @param commands that it sent first, as JSON; null where there are none
 */
public record JournalRow(
    UUID saga, long revision, Instant at, String entries, @Nullable String commands) {

  /** The row of these entries; empty where there is none. */
  static Optional<JournalRow> of(LockedSaga<?> saga) {
    SagaState written = saga.state();
    return saga.history().isEmpty()
        ? Optional.empty()
        : Optional.of(of(written.id(), written.revision(), saga.history(), saga.journaled()));
  }

  /** The row of these entries, of which there is at least one. */
  public static JournalRow of(
      UUID saga, long revision, List<HistoryEntry> history, Collection<JournaledCommand> commands) {
    Instant at = history.getFirst().at();
    ArrayNode entries = JsonNodeFactory.instance.arrayNode();
    history.forEach(entry -> entries.add(json(entry, at)));
    return new JournalRow(saga, revision, at, entries.toString(), json(commands));
  }

  /** One entry as JSON, with the time of its row. */
  public static String entries(HistoryEvent event, String detail) {
    HistoryEntry entry = new HistoryEntry(Instant.EPOCH, event, null, detail);
    return JsonNodeFactory.instance.arrayNode().add(json(entry, entry.at())).toString();
  }

  private static @Nullable String json(Collection<JournaledCommand> commands) {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    commands.forEach(
        command -> all.addObject().put("name", command.name()).put("payload", command.payload()));
    return all.isEmpty() ? null : all.toString();
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
