package io.onceflow.outbox.internal.relay;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.AggregateOrdering;
import io.onceflow.outbox.internal.OutboxConfig;
import io.onceflow.outbox.internal.OutboxStore;
import io.onceflow.outbox.internal.relay.DirectPublishQueue.Handed;
import io.onceflow.outbox.internal.transport.BundlePolicy;
import io.onceflow.outbox.internal.transport.MessageChannel;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.Publisher.Published;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

/**
 * Publishes what has been handed over, round by round, on one channel: the rows of what the broker
 * has confirmed are deleted now and then, and what is new goes out without waiting for the confirms
 * of what went before. Rule 3 holds: a row goes only when its message is confirmed. If the process
 * dies between confirm and deletion, the message is published again. What is refused, late or in
 * doubt is left to the relays that read the table.
 */
final class DirectPublishBatch {

  /** Deleting is not urgent: more confirms may come meanwhile, and messages do not wait for it. */
  private static final Duration LINGER = Duration.ofMillis(3);

  /** How soon to look again whether an older message of the same aggregate is gone. */
  private static final Duration HELD_UP_PAUSE = Duration.ofMillis(5);

  private static final Duration IDLE = Duration.ofSeconds(1);

  private final DirectPublishQueue directPublish;
  private final Connection connection;
  private final DataSource database;
  private final OutboxStore table;
  private final OutboxConfig.Relay config;
  private final RelayReport report;
  private final MessageChannel channel;
  private final LongSupplier ticker;
  private final InFlightMessages inFlight = new InFlightMessages();
  private final ConfirmedRows confirmed;
  private List<Handed> heldUp = List.of();
  private boolean proven;

  /**
   * @param connection for this round and all that follow; each statement commits by itself
   * @param database where the last round gets a connection, since that one may be broken
   */
  DirectPublishBatch(
      DirectPublishQueue directPublish,
      Connection connection,
      DataSource database,
      OutboxStore table,
      OutboxConfig.Relay config,
      RelayReport report,
      MessageChannel channel) {
    this(directPublish, connection, database, table, config, report, channel, System::nanoTime);
  }

  /**
   * @param ticker as {@link System#nanoTime()}
   */
  DirectPublishBatch(
      DirectPublishQueue directPublish,
      Connection connection,
      DataSource database,
      OutboxStore table,
      OutboxConfig.Relay config,
      RelayReport report,
      MessageChannel channel,
      LongSupplier ticker) {
    this.directPublish = directPublish;
    this.connection = connection;
    this.database = database;
    this.table = table;
    this.config = config;
    this.report = report;
    this.channel = channel;
    this.ticker = ticker;
    this.confirmed = new ConfirmedRows(ticker.getAsLong());
  }

  /**
   * One round; waits for something to do, at most about a second. What is new goes out before the
   * rows of what was answered are deleted, since callers wait for it.
   *
   * @return false when the channel is of no use any more: it is closed, a confirm is overdue, or
   *     the broker takes no messages
   */
  boolean turn() throws SQLException, IOException, InterruptedException {
    int room = Math.min(config.batchSize(), config.handOverRoom() - inFlight.size());
    List<Handed> batch = new ArrayList<>(heldUp);
    Duration rest = confirmed.restFor(ticker.getAsLong());
    batch.addAll(directPublish.take(room, longestWait(rest), longer(LINGER, rest)));
    long now = ticker.getAsLong();
    // What took too long may have been claimed by another relay by now.
    batch.removeIf(handed -> handed.until() - now < 0);
    heldUp = batch;
    Published answers = channel.answered();
    proven |= !answers.confirmed().isEmpty();
    publish(ready(inFlight.settled(answers).refused().keySet()));
    settle(connection, answers);
    if (confirmed.restFor(ticker.getAsLong()).isZero()) {
      deleteConfirmed(connection);
    }
    return channel.isOpen()
        && !channel.isBlocked()
        && !inFlight.isOverdue(ticker.getAsLong());
  }

  private Duration longestWait(Duration rest) {
    if (!heldUp.isEmpty()) {
      return HELD_UP_PAUSE;
    }
    return confirmed.isEmpty() ? IDLE : rest;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /** Whether the broker has confirmed anything on this channel. */
  boolean isProven() {
    return proven;
  }

  /** Whether some wait for older ones. */
  boolean holdsBack() {
    return !heldUp.isEmpty();
  }

  /**
   * The last round: waits a while for confirms and lets any relay have what is not confirmed.
   *
   * @return how many that are
   */
  int end(Collection<Handed> left, Duration patience) throws SQLException, InterruptedException {
    Published answers = channel.await(patience);
    channel.close();
    try (Connection last = database.getConnection()) {
      settle(last, answers);
      deleteConfirmed(last);
      Set<UUID> released = new HashSet<>(inFlight.ids());
      heldUp.forEach(handed -> released.add(handed.message().id()));
      left.forEach(handed -> released.add(handed.message().id()));
      heldUp = List.of();
      inFlight.clear();
      table.release(last, released);
      return released.size();
    }
  }

  /**
   * Those of the messages in hand that nothing precedes; the others stay in hand.
   *
   * @param refused what the broker did not take, and what therefore goes on holding up others
   */
  private List<OutboxMessage> ready(Set<UUID> refused) throws SQLException {
    List<OutboxMessage> messages = heldUp.stream().map(Handed::message).toList();
    if (messages.isEmpty()) {
      return messages;
    }
    Set<UUID> underWay = new HashSet<>(inFlight.ids());
    underWay.removeAll(refused);
    underWay.addAll(confirmed.ids());
    Set<UUID> later =
        AggregateOrdering.heldUp(messages, table.older(connection, messages), underWay);
    heldUp = heldUp.stream().filter(handed -> later.contains(handed.message().id())).toList();
    return messages.stream().filter(message -> !later.contains(message.id())).toList();
  }

  /** Keeps in mind what was confirmed, and puts off what was refused. */
  private void settle(Connection connection, Published answers) throws SQLException {
    Published settled = inFlight.settled(answers);
    if (settled.confirmed().isEmpty() && settled.refused().isEmpty()) {
      return;
    }
    confirmed.add(settled.confirmed());
    table.defer(
        connection,
        settled.refused().keySet(),
        config.firstBackoff().toMillis(),
        config.longestBackoff().toMillis());
    report.published(settled, inFlight.messages(settled.refused().keySet()));
    inFlight.remove(answers);
  }

  private void deleteConfirmed(Connection connection) throws SQLException {
    if (!confirmed.isEmpty()) {
      table.delete(connection, confirmed.ids());
      confirmed.deleted(ticker.getAsLong());
    }
  }

  private void publish(List<OutboxMessage> messages) throws IOException {
    if (messages.isEmpty()) {
      return;
    }
    List<OutboxMessage> sorted = AggregateOrdering.sorted(messages);
    List<OutgoingMessage> batch =
        channel.isForPacks()
            ? OutgoingMessage.pack(sorted, BundlePolicy.by(config))
            : OutgoingMessage.each(sorted);
    inFlight.add(batch, ticker.getAsLong() + config.confirmDeadline().toNanos());
    channel.write(batch, config.confirmDeadline());
  }
}
