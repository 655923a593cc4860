package io.onceflow.outbox;

import io.onceflow.outbox.HandOver.Handed;
import io.onceflow.outbox.Precedence.Older;
import io.onceflow.outbox.Publisher.Published;
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
import javax.sql.DataSource;

/**
 * Publishes what has been handed over, round by round, on one channel: the rows of what the broker
 * has confirmed since the last round are deleted, and what is new goes out without waiting for the
 * confirms of what went before. Rule 3 holds: a row goes only when its message is confirmed. What
 * is refused, late or in doubt is left to the relays that read the table.
 */
final class HandOverRound {

  /** Deleting is not urgent: more confirms may come meanwhile, and messages do not wait for it. */
  private static final Duration LINGER = Duration.ofMillis(3);

  /** How soon to look again whether an older message of the same aggregate is gone. */
  private static final Duration HELD_UP_PAUSE = Duration.ofMillis(5);

  private static final Duration IDLE = Duration.ofSeconds(1);

  private final HandOver handOver;
  private final DataSource database;
  private final OutboxStore table;
  private final OutboxConfig.Relay config;
  private final RelayReport report;
  private final PublishingChannel channel;
  private final InFlight inFlight = new InFlight();
  private List<Handed> heldUp = List.of();

  HandOverRound(
      HandOver handOver,
      DataSource database,
      OutboxStore table,
      OutboxConfig.Relay config,
      RelayReport report,
      PublishingChannel channel) {
    this.handOver = handOver;
    this.database = database;
    this.table = table;
    this.config = config;
    this.report = report;
    this.channel = channel;
  }

  /**
   * One round; waits for something to do, at most about a second.
   *
   * @return false when the channel is of no use any more
   */
  boolean turn() throws SQLException, IOException, InterruptedException {
    int room = Math.min(config.batchSize(), config.handOverRoom() - inFlight.size());
    List<Handed> batch = new ArrayList<>(heldUp);
    batch.addAll(handOver.take(room, heldUp.isEmpty() ? IDLE : HELD_UP_PAUSE, LINGER));
    long now = System.nanoTime();
    // What took too long is everybody's by now.
    batch.removeIf(handed -> handed.until() - now < 0);
    List<OutboxMessage> messages = batch.stream().map(Handed::message).toList();
    Published answers = channel.confirms().answered();
    Collection<Older> older = settle(answers, messages);
    Set<UUID> waiting = Precedence.heldUp(messages, older, inFlight.ids());
    heldUp = batch.stream().filter(handed -> waiting.contains(handed.message().id())).toList();
    boolean isWritten =
        publish(messages.stream().filter(message -> !waiting.contains(message.id())).toList());
    return isWritten && channel.isOpen() && !inFlight.isOverdue(System.nanoTime());
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
    Published answers = channel.confirms().await(patience);
    channel.close();
    settle(answers, List.of());
    Set<UUID> released = new HashSet<>(inFlight.ids());
    heldUp.forEach(handed -> released.add(handed.message().id()));
    left.forEach(handed -> released.add(handed.message().id()));
    heldUp = List.of();
    inFlight.clear();
    transact(
        connection -> {
          table.release(connection, released);
          return released;
        });
    return released.size();
  }

  /** Sees to the rows of what was answered, and looks what precedes the new messages. */
  private Collection<Older> settle(Published answers, List<OutboxMessage> fresh)
      throws SQLException {
    Published settled = inFlight.settled(answers);
    boolean isAnswered = !settled.confirmed().isEmpty() || !settled.refused().isEmpty();
    if (!isAnswered && fresh.isEmpty()) {
      return List.of();
    }
    Collection<Older> older =
        transact(
            connection -> {
              table.delete(connection, settled.confirmed());
              table.defer(
                  connection,
                  settled.refused().keySet(),
                  config.firstBackoff().toMillis(),
                  config.longestBackoff().toMillis());
              return fresh.isEmpty() ? List.<Older>of() : table.older(connection, fresh);
            });
    if (isAnswered) {
      report.published(settled, inFlight.messages(settled.refused().keySet()));
      inFlight.remove(answers);
    }
    return older;
  }

  private boolean publish(List<OutboxMessage> messages) throws IOException {
    if (messages.isEmpty()) {
      return true;
    }
    List<Parcel> parcels = Parcel.pack(Precedence.sorted(messages), Packable.by(config));
    inFlight.add(parcels, System.nanoTime() + config.confirmDeadline().toNanos());
    return channel.write(parcels) == null;
  }

  private interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  private <T> T transact(Work<T> work) throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        table.expectChange(connection);
        T result = work.on(connection);
        connection.commit();
        return result;
      } catch (SQLException | RuntimeException | Error e) {
        connection.rollback();
        throw e;
      }
    }
  }
}
