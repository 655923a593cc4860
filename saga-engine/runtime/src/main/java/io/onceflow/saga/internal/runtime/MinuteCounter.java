package io.onceflow.saga.internal.runtime;

import io.onceflow.saga.internal.store.LockedSaga;
import io.onceflow.saga.internal.store.minute.MinuteTally;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Counts in memory what committed transitions do, by minute and definition, until that is taken to
 * the database. A saga pays for it with a lock of a fraction of a microsecond and no statement.
 */
@ApplicationScoped
public class MinuteCounter implements Consumer<LockedSaga<?>> {

  private final Clock clock;
  private final boolean isKept;
  private final Map<Key, MinuteTally> tallies = new HashMap<>();

  private record Key(Instant minute, String definition) {}

  MinuteCounter(Clock clock, SagaConfig config) {
    this.clock = clock;
    this.isKept = !config.minutesRetention().isZero();
  }

  @Override
  public void accept(LockedSaga<?> saga) {
    if (!isKept) {
      return;
    }
    Key key = new Key(clock.instant().truncatedTo(ChronoUnit.MINUTES), saga.state().definition());
    synchronized (tallies) {
      tallies
          .computeIfAbsent(key, it -> new MinuteTally(it.minute, it.definition))
          .count(saga.loaded(), saga.state(), saga.history());
    }
  }

  /** What was counted since the last time; it belongs to the caller. */
  public List<MinuteTally> take() {
    synchronized (tallies) {
      List<MinuteTally> taken = List.copyOf(tallies.values());
      tallies.clear();
      return taken;
    }
  }
}
