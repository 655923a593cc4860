package io.onceflow.saga.internal.store;

import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.SagaState;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** An entry with its place in the saga's history: by the write that added it, then within that. */
record HistoryRow(UUID saga, long revision, int position, HistoryEntry entry) {

  static Stream<HistoryRow> of(SagaState written, List<HistoryEntry> history) {
    return IntStream.range(0, history.size())
        .mapToObj(i -> new HistoryRow(written.id(), written.revision(), i, history.get(i)));
  }
}
