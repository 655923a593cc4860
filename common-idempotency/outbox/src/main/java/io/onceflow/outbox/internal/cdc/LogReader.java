package io.onceflow.outbox.internal.cdc;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.internal.watchdog.LoopWatch;
import io.onceflow.outbox.internal.OutboxTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Reads committed messages from the log of the database, as long as no other process does: the slot
 * admits one reader. Those that it does not admit try again each second.
 */
final class LogReader implements Runnable {

  private static final Logger LOG = Logger.getLogger(LogReader.class);

  /** Until a process takes over from one that has died, beyond what PostgreSQL needs to notice. */
  static final Duration TRY_AGAIN = Duration.ofSeconds(1);

  private final DataSource database;
  private final ReplicationLogin login;
  private final ReplicationSlot slot;
  private final ObjectMapper json;
  private final CommittedMessages messages;
  private final DatabaseTime time;
  private final CountDownLatch stopped;
  private volatile @Nullable LogStream stream;
  private boolean isFailing;

  LogReader(
      DataSource database,
      ReplicationLogin login,
      ReplicationSlot slot,
      ObjectMapper json,
      CommittedMessages messages,
      DatabaseTime time,
      CountDownLatch stopped) {
    this.database = database;
    this.login = login;
    this.slot = slot;
    this.json = json;
    this.messages = messages;
    this.time = time;
    this.stopped = stopped;
  }

  @Override
  public void run() {
    try (LoopWatch watch = LoopWatch.begin("outbox-log-reader", TRY_AGAIN)) {
      do {
        watch.turned();
        try {
          readUnlessAnotherDoes(watch);
        } catch (SQLException | RuntimeException | Error e) {
          failed(e);
        }
      } while (!stopped.await(TRY_AGAIN.toNanos(), TimeUnit.NANOSECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether this process is the one that reads. */
  boolean isReading() {
    return stream != null;
  }

  /** Ends a stream from which nothing has come for so long; another is opened then. */
  void endIfSilentFor(Duration longest) throws SQLException {
    LogStream open = stream;
    if (open != null && open.silence().compareTo(longest) > 0) {
      LOG.warnf("nothing has come from the log for %s; connecting again", open.silence());
      open.close();
    }
  }

  /** Ends the stream, as when the process stops. */
  void end() throws SQLException {
    LogStream open = stream;
    if (open != null) {
      open.close();
    }
  }

  private void readUnlessAnotherDoes(LoopWatch watch) throws SQLException, InterruptedException {
    ReplicationSlot.State state = freeSlot();
    if (state == null) {
      return;
    }
    try (LogStream opened = LogStream.open(login, slot)) {
      stream = opened;
      LOG.infof("reads the outbox from PostgreSQL's log, slot %s", slot.name());
      isFailing = false;
      PgOutput output = new PgOutput(json);
      LogTransactions transactions = new LogTransactions(messages, this::stillWaiting, time, state);
      while (stopped.getCount() > 0) {
        transactions.take(output.read(opened.read()), opened);
        watch.turned();
      }
    } finally {
      stream = null;
    }
  }

  /** Null while another process reads. */
  private ReplicationSlot.@Nullable State freeSlot() throws SQLException {
    try (Connection connection = database.getConnection()) {
      slot.require(connection);
      ReplicationSlot.State state = slot.state(connection).orElse(null);
      return state == null || state.active() ? null : state;
    }
  }

  private Set<UUID> stillWaiting(Collection<UUID> ids) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return OutboxTable.putOffStill(connection, ids);
    }
  }

  private void failed(Throwable e) {
    if (stopped.getCount() > 0 && !isFailing) {
      LOG.warnf("the log is not read: %s; tried again every %s", e, TRY_AGAIN);
      isFailing = true;
    }
    LOG.debug("the log is not read", e);
  }
}
