package io.onceflow.outbox.internal.cdc;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.outbox.internal.OutboxConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.ToLongFunction;
import javax.sql.DataSource;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the slot each second, in each process: whether messages that are now written may be left
 * to its reader. They may not while no process reads it, while the slot is lost and while its
 * reader is too far behind; then the relays read them from the table, until the slot is good again.
 * Nothing is lost on either side of the switch, since the rows lie in the table until they are
 * published.
 */
final class SlotWatch {

  private static final Logger LOG = Logger.getLogger(SlotWatch.class);

  static final Duration EVERY = Duration.ofSeconds(1);

  /** So many heartbeats that do not come through are a connection that is broken. */
  private static final int MISSED = 3;

  /** A reader that could not keep up is not tried again at once: it would fall behind again. */
  private static final Duration REST = Duration.ofSeconds(30);

  /** Less than this is not behind, however long ago that was: it may be the end of the log. */
  private static final long BARELY_BEHIND = 1 << 20;

  /** Heartbeats are written no more often than there are looks. */
  private static final Duration LEAST_SILENCE = EVERY.multipliedBy(5);

  private final DataSource database;
  private final ReplicationSlot slot;
  private final LogReader reader;
  private final DatabaseTime time;
  private final OutboxConfig.Cdc config;
  private volatile ReplicationSlot.@Nullable State last;
  private volatile boolean isRead;
  private final SlotDelay delay = new SlotDelay();
  private long nextBeat = System.nanoTime();
  private long restsUntil = nextBeat;

  SlotWatch(
      DataSource database,
      ReplicationSlot slot,
      LogReader reader,
      DatabaseTime time,
      OutboxConfig.Cdc config) {
    this.database = database;
    this.slot = slot;
    this.reader = reader;
    this.time = time;
    this.config = config;
  }

  /** Whether what is now written may be left to the reader of the log. */
  boolean isRead() {
    return isRead;
  }

  void register(MeterRegistry registry) {
    Gauge.builder("onceflow.outbox.log.read", this, it -> it.isRead ? 1 : 0)
        .description("1 while messages are found in the database's log, 0 while in the table")
        .strongReference(true)
        .register(registry);
    gauge(registry, "behind", "written and not dealt with", ReplicationSlot.State::behind);
    gauge(registry, "retained", "kept for the outbox' slot", ReplicationSlot.State::retained);
  }

  private void gauge(
      MeterRegistry registry, String name, String what, ToLongFunction<ReplicationSlot.State> of) {
    Gauge.builder("onceflow.outbox.slot." + name, () -> seen(of))
        .description("Log of the database that is " + what)
        .baseUnit("bytes")
        .strongReference(true)
        .register(registry);
  }

  private @Nullable Number seen(ToLongFunction<ReplicationSlot.State> of) {
    ReplicationSlot.State state = last;
    return state == null ? null : of.applyAsLong(state);
  }

  void look() throws SQLException {
    Duration missed = config.heartbeat().multipliedBy(MISSED);
    reader.endIfSilentFor(missed.compareTo(LEAST_SILENCE) > 0 ? missed : LEAST_SILENCE);
    try (Connection connection = database.getConnection()) {
      long asked = System.nanoTime();
      Optional<ReplicationSlot.State> state = slot.state(connection);
      state.map(ReplicationSlot.State::now).ifPresent(now -> time.seen(now, asked));
      last = state.orElse(null);
      state.ifPresent(this::noteDelay);
      beat(connection, state);
      decide(whyNot(state));
    } catch (SQLException | RuntimeException e) {
      last = null;
      decide("the database cannot be asked");
      throw e;
    }
  }

  /**
   * More often while others write: without the outbox' own rows nothing else tells how far it is.
   */
  private void beat(Connection connection, Optional<ReplicationSlot.State> seen)
      throws SQLException {
    boolean isBehind = seen.isPresent() && seen.get().behind() > BARELY_BEHIND;
    if (reader.isReading() && (isBehind || nextBeat - System.nanoTime() <= 0)) {
      nextBeat = System.nanoTime() + config.heartbeat().toNanos();
      ReplicationSlot.beat(connection);
    }
  }

  /** Why the log is not to be relied on; null when it is. */
  private @Nullable String whyNot(Optional<ReplicationSlot.State> seen) {
    if (seen.isEmpty()) {
      return "there is no slot " + slot.name();
    }
    ReplicationSlot.State state = seen.get();
    if (state.lost()) {
      return "PostgreSQL has removed log that slot %s still had to read".formatted(slot.name());
    }
    if (!state.active()) {
      return "slot %s has no reader".formatted(slot.name());
    }
    if (state.behind() > config.mostBehind()) {
      return "slot %s is %s bytes behind".formatted(slot.name(), state.behind());
    }
    return restsUntil - System.nanoTime() > 0
        ? "slot %s was more than %s behind within the last %s"
            .formatted(slot.name(), config.longestDelay(), REST)
        : null;
  }

  private void noteDelay(ReplicationSlot.State state) {
    long now = System.nanoTime();
    Duration late = delay.seen(state.written(), state.settled(), now);
    if (state.behind() > BARELY_BEHIND && late.compareTo(config.longestDelay()) > 0) {
      restsUntil = now + REST.toNanos();
    }
  }

  private void decide(@Nullable String whyNot) {
    boolean was = isRead;
    isRead = whyNot == null;
    if (isRead && !was) {
      LOG.info("messages are found in the database's log");
    } else if (!isRead && was) {
      LOG.warnf("messages are read from the outbox table for now: %s", whyNot);
    }
  }
}
