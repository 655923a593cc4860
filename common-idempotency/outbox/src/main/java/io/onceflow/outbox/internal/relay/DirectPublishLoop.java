package io.onceflow.outbox.internal.relay;

import io.onceflow.internal.watchdog.LoopWatch;
import io.onceflow.outbox.internal.OutboxConfig;
import io.onceflow.outbox.internal.OutboxStore;
import io.onceflow.outbox.internal.relay.DirectPublishQueue.Handed;
import io.onceflow.outbox.internal.transport.MessageChannel;
import io.onceflow.outbox.internal.transport.MessageTransport;
import io.onceflow.outbox.internal.transport.TransportRefusal;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/**
 * The thread that publishes what has been handed over in memory. When the broker or the database
 * fails, it releases all messages and accepts no more until it has a channel again; meanwhile the
 * relays that read the table publish them.
 */
final class DirectPublishLoop implements Runnable {

  private static final Logger LOG = Logger.getLogger(DirectPublishLoop.class);

  /** While the broker takes no messages. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

  private static final Duration STOP_WITHIN = Duration.ofSeconds(2);

  /** Enough for some ten thousand messages; if more are left, the broker is too slow. */
  private static final Duration EMPTY_WITHIN = Duration.ofSeconds(1);

  private final DirectPublishQueue directPublish;
  private final RelaySignal signal;
  private final DataSource database;
  private final OutboxStore table;
  private final MessageTransport transport;
  private final OutboxConfig.Relay config;
  private final RelayReport report;
  private final CountDownLatch stopped;
  private final LoopWatch watch;
  private int failures;
  private long emptiedUntil;

  DirectPublishLoop(
      DirectPublishQueue directPublish,
      RelaySignal signal,
      DataSource database,
      OutboxStore table,
      MessageTransport transport,
      OutboxConfig.Relay config,
      RelayReport report,
      CountDownLatch stopped) {
    this.directPublish = directPublish;
    this.signal = signal;
    this.database = database;
    this.table = table;
    this.transport = transport;
    this.config = config;
    this.report = report;
    this.stopped = stopped;
    this.watch = LoopWatch.idle("outbox-hand-over", config.pollInterval());
  }

  @Override
  public void run() {
    watch.begin();
    try {
      while (isRunning()) {
        watch.turned();
        try {
          if (transport.blocked().isPresent()) {
            stopped.await(LOOK_AGAIN.toNanos(), TimeUnit.NANOSECONDS);
            continue;
          }
          onOneConnection();
        } catch (IOException | SQLException | RuntimeException | Error e) {
          failed(e);
        }
        if (failures > 0) {
          stopped.await(RetryJitter.of(config.backoff(failures)).toNanos(), TimeUnit.NANOSECONDS);
        }
      }
      watch.close();
    } catch (InterruptedException e) {
      watch.close();
      Thread.currentThread().interrupt();
    }
  }

  private boolean isRunning() {
    return stopped.getCount() > 0;
  }

  /**
   * On one connection to the database, for this thread alone: beginning and ending a transaction
   * for each look would take longer than the look.
   */
  private void onOneConnection() throws IOException, SQLException, InterruptedException {
    try (Dedicated looks = new Dedicated(database.getConnection(), table)) {
      table.expectChangeFromNowOn(looks.connection());
      onOneChannel(looks.connection());
    }
  }

  /** A connection that others get back as it was. */
  private record Dedicated(Connection connection, OutboxStore table) implements AutoCloseable {

    @Override
    public void close() throws SQLException {
      try (connection) {
        table.expectNoChange(connection);
      }
    }
  }

  /** What was committed before the relay stopped is sent, for a moment; the rest is let go of. */
  private boolean isToBeEmptied(DirectPublishBatch round) {
    long now = System.nanoTime();
    if (emptiedUntil == 0) {
      emptiedUntil = now + EMPTY_WITHIN.toNanos();
    }
    return now - emptiedUntil < 0 && (directPublish.size() > 0 || round.holdsBack());
  }

  /** Until it breaks or the relay stops. */
  private void onOneChannel(Connection connection)
      throws IOException, SQLException, InterruptedException {
    MessageChannel channel =
        transport.openChannel(directPublish::answered, config.confirmDeadline());
    DirectPublishBatch round =
        new DirectPublishBatch(directPublish, connection, database, table, config, report, channel);
    directPublish.open();
    boolean isOfUse = true;
    try {
      while (isOfUse && (isRunning() || isToBeEmptied(round))) {
        isOfUse = round.turn();
        watch.turned();
        // Not for being open alone: a channel that confirms nothing is opened again only later.
        failures = round.isProven() && isOfUse ? 0 : failures;
      }
    } finally {
      List<Handed> left = directPublish.close();
      try {
        int released = round.end(left, isRunning() ? Duration.ZERO : STOP_WITHIN);
        if (!isRunning()) {
          LOG.infof("the relay has stopped; %s messages are left to other relays", released);
        }
      } finally {
        channel.close();
        signal.raise();
      }
    }
    if (!isOfUse && transport.blocked().isEmpty()) {
      throw new IOException("the broker closed the channel or did not confirm in time");
    }
  }

  private void failed(Throwable e) {
    if (failures++ == 0 && !(e instanceof TransportRefusal)) {
      LOG.warnf("messages are read back from the outbox for now: %s", e.toString());
    }
    LOG.debug("nothing can be handed over", e);
  }
}
