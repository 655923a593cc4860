package io.onceflow.inbox.internal.participant;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of how many steps are pending, and for how long the oldest has been. They are counted
 * at intervals and not when they are read; they have no value while the database is unavailable.
 * Every replica reports the same numbers.
 */
public final class PendingGauge {

  /** Beyond this many the exact number does not matter; counting them takes a few milliseconds. */
  private static final int COUNTED = 10_000;

  /** As often as dashboards are looked at. */
  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** By the index inbox_message_by_pending, and no other: its predicate is in these words. */
  private static final String COUNT =
      """
      SELECT count(*) AS steps,
             greatest(0, extract(epoch FROM now() - min(pending_since)))::bigint AS oldest
      FROM   (SELECT   pending_since
              FROM     inbox_message
              WHERE    envelope IS NOT NULL
              AND      pending_since IS NOT NULL
              ORDER BY pending_since
              LIMIT    ?) AS pending
      """;

  private final DataSource database;
  private volatile @Nullable Found last;
  private long nextNanos = System.nanoTime();

  private record Found(long steps, long oldestSeconds) {}

  public PendingGauge(DataSource database, MeterRegistry registry) {
    this.database = database;
    Gauge.builder("onceflow.inbox.pending", () -> last == null ? null : last.steps())
        .description("Steps that wait for an external event, counted up to " + COUNTED)
        .strongReference(true)
        .register(registry);
    Gauge.builder("onceflow.inbox.pending.oldest", () -> last == null ? null : last.oldestSeconds())
        .baseUnit("seconds")
        .description("For how long the oldest of them has been pending")
        .strongReference(true)
        .register(registry);
  }

  /** Counts them, unless that was done a moment ago. Called by one thread. */
  public void look() throws SQLException {
    long now = System.nanoTime();
    if (now - nextNanos < 0) {
      return;
    }
    nextNanos = now + EVERY_NANOS;
    last = null;
    try (Connection connection = database.getConnection()) {
      last =
          Sql.query(
                  connection,
                  COUNT,
                  row -> new Found(row.bigint("steps"), row.bigint("oldest")),
                  COUNTED)
              .getFirst();
    }
  }
}
