package io.onceflow.outbox.internal.relay;

import io.onceflow.internal.database.DatabaseTransaction;
import io.onceflow.internal.watchdog.LoopWatch;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.AggregateOrdering;
import io.onceflow.outbox.internal.AggregateOrdering.Older;
import io.onceflow.outbox.internal.OutboxConfig;
import io.onceflow.outbox.internal.OutboxStore;
import io.onceflow.outbox.internal.relay.InFlightMessages.Committed;
import io.onceflow.outbox.internal.transport.MessageChannel;
import io.onceflow.outbox.internal.transport.MessageTransport;
import io.onceflow.outbox.internal.transport.TransportRefusal;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/**
 * The thread behind a {@link DirectPublisher}: opens its channel, deletes the rows of confirmed
 * messages that no transaction deletes, and puts off those of refused ones. When the broker fails,
 * it releases all messages and the publisher takes no more until there is a channel again;
 * meanwhile the relays that read the table publish them.
 */
final class DirectPublishLoop implements Runnable {

  private static final Logger LOG = Logger.getLogger(DirectPublishLoop.class);

  /**
   * How long the row of a confirmed message waits for a transaction to delete it. Another process
   * does not publish what follows an event before that.
   */
  static final Duration DELETE_AFTER = Duration.ofMillis(100);

  /** As many are deleted however recently they were confirmed. */
  static final int MANY = 500;

  /** How soon to look again whether an older message of the same aggregate is gone. */
  private static final Duration HELD_UP_PAUSE = Duration.ofMillis(10);

  private static final Duration AT_REST = Duration.ofSeconds(1);

  /** While the broker takes no messages. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

  private static final Duration STOP_WITHIN = Duration.ofSeconds(2);

  /** Enough for some ten thousand messages; if more are left, the broker is too slow. */
  private static final Duration EMPTY_WITHIN = Duration.ofSeconds(1);

  private final DirectPublisher publisher;
  private final RelaySignal signal;
  private final DataSource database;
  private final OutboxStore table;
  private final MessageTransport transport;
  private final OutboxConfig.Relay config;
  private final RelayReport report;
  private final CountDownLatch stopped;
  private final LoopWatch watch;
  private final List<Committed> heldUp = new ArrayList<>();
  private int failures;
  private long emptiedUntil;

  DirectPublishLoop(
      DirectPublisher publisher,
      RelaySignal signal,
      DataSource database,
      OutboxStore table,
      MessageTransport transport,
      OutboxConfig.Relay config,
      RelayReport report,
      CountDownLatch stopped) {
    this.publisher = publisher;
    this.signal = signal;
    this.database = database;
    this.table = table;
    this.transport = transport;
    this.config = config;
    this.report = report;
    this.stopped = stopped;
    this.watch = LoopWatch.idle("outbox-direct-publish", config.pollInterval());
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
          onOneChannel();
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

  /** What was committed before the relay stopped is sent, for a moment; the rest is let go of. */
  private boolean isToBeEmptied() {
    long now = System.nanoTime();
    if (emptiedUntil == 0) {
      emptiedUntil = now + EMPTY_WITHIN.toNanos();
    }
    return now - emptiedUntil < 0 && publisher.messages().isWaiting();
  }

  /** Until it breaks or the relay stops. */
  private void onOneChannel() throws IOException, SQLException, InterruptedException {
    MessageChannel channel = transport.openChannel(config.confirmDeadline());
    publisher.open(channel);
    boolean isOfUse = true;
    try {
      while (isOfUse && (isRunning() || isToBeEmptied())) {
        isOfUse = turn();
        watch.turned();
      }
    } finally {
      try {
        end(isRunning() ? Duration.ZERO : STOP_WITHIN);
      } finally {
        channel.close();
        signal.raise();
      }
    }
    if (!isOfUse && transport.blocked().isEmpty()) {
      throw Objects.requireNonNullElseGet(
          publisher.failure(),
          () -> new IOException("the broker closed the channel or did not confirm in time"));
    }
  }

  /**
   * Waits for something to do, at most about a second, and does it. While the database is
   * unavailable the rows of confirmed messages wait for the next turn.
   *
   * @return false when the channel is of no use any more
   */
  boolean turn() throws InterruptedException {
    boolean isFree = heldUp.isEmpty();
    publisher.await(isFree ? DELETE_AFTER : HELD_UP_PAUSE, isFree ? AT_REST : HELD_UP_PAUSE);
    InFlightMessages messages = publisher.messages();
    try {
      settle(messages.takeConfirmed(publisher.now(), DELETE_AFTER, MANY), Set.of());
      lookBeforeHeldUp(messages);
    } catch (SQLException e) {
      LOG.debug("rows of confirmed messages are not deleted yet", e);
    }
    publisher.write();
    return publisher.isOfUse();
  }

  /** Has those written that no older message precedes any more. */
  private void lookBeforeHeldUp(InFlightMessages messages) throws SQLException {
    heldUp.addAll(messages.takeHeldUp());
    heldUp.removeIf(one -> one.until() - publisher.now() < 0);
    if (heldUp.isEmpty()) {
      return;
    }
    List<OutboxMessage> looked = heldUp.stream().map(Committed::message).toList();
    List<Older> older =
        DatabaseTransaction.call(
            database,
            connection -> {
              table.expectChange(connection);
              return table.older(connection, looked);
            });
    Set<UUID> underWay = messages.underWay(looked);
    List<Older> before = older.stream().filter(row -> !underWay.contains(row.id())).toList();
    Set<UUID> later = AggregateOrdering.heldUp(looked, before);
    messages.addFreed(heldUp.stream().filter(one -> !later.contains(one.message().id())).toList());
    heldUp.removeIf(one -> !later.contains(one.message().id()));
  }

  /** Lets any relay have what is not confirmed. */
  void end(Duration patience) throws SQLException, InterruptedException {
    Set<UUID> left = publisher.close(patience);
    heldUp.forEach(one -> left.add(one.message().id()));
    heldUp.clear();
    settle(publisher.messages().takeConfirmed(), left);
    if (!isRunning()) {
      LOG.infof("the relay has stopped; %s messages are left to other relays", left.size());
    }
  }

  private void settle(Set<UUID> confirmed, Set<UUID> left) throws SQLException {
    Map<UUID, String> refused = refused();
    if (confirmed.isEmpty() && refused.isEmpty() && left.isEmpty()) {
      return;
    }
    try (Connection connection = database.getConnection()) {
      table.delete(connection, confirmed);
      publisher.messages().deleted(confirmed);
      table.defer(
          connection,
          refused.keySet(),
          config.firstBackoff().toMillis(),
          config.longestBackoff().toMillis());
      table.release(connection, left);
    } finally {
      publisher.messages().putBack(confirmed);
    }
  }

  /** Reports what was answered. */
  private Map<UUID, String> refused() {
    int confirms = publisher.messages().takeConfirms();
    if (confirms > 0) {
      // A channel that has confirmed nothing may fail again: it is opened again only later.
      failures = 0;
    }
    Map<OutboxMessage, String> messages = publisher.messages().takeRefused();
    Map<UUID, String> refused = new HashMap<>();
    messages.forEach((message, why) -> refused.put(message.id(), why));
    report.published(confirms, refused, messages.keySet());
    return refused;
  }

  private void failed(Throwable e) {
    if (failures++ == 0 && !(e instanceof TransportRefusal)) {
      LOG.warnf("messages are read back from the outbox for now: %s", e.toString());
    }
    LOG.debug("messages are not published directly", e);
  }
}
