package io.onceflow.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.idempotency.testing.CountedDatabase;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.Shipping;
import io.onceflow.outbox.internal.OutboxConfig;
import io.onceflow.outbox.internal.OutboxTable;
import io.onceflow.outbox.internal.transport.MessageChannel;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.Publisher.Published;
import io.onceflow.test.internal.TestConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What the broker has confirmed is deleted together. The channel here confirms in one round what
 * was written in the one before; the rows are real.
 */
@Timeout(60)
class DirectPublishBatchTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private final Shipping shipping = new Shipping();
  private final CountedDatabase database = new CountedDatabase(Shipping.DATABASE.source());
  private final AtomicLong clock = new AtomicLong();
  private final DirectPublishQueue queue = new DirectPublishQueue(HOUR, 10 * ConfirmedRows.MANY);
  private final Confirming channel = new Confirming();
  private final UUID aggregate = UUID.randomUUID();
  private Connection connection;
  private DirectPublishBatch rounds;

  @BeforeEach
  void begin() throws Exception {
    queue.open();
    connection = database.source().getConnection();
    OutboxConfig.Relay config =
        TestConfig.outbox(Map.of("relay.batch-size", 2 * ConfirmedRows.MANY)).relay();
    rounds =
        new DirectPublishBatch(
            queue,
            connection,
            database.source(),
            new OutboxTable(new ObjectMapper()),
            config,
            new RelayReport(shipping.metrics, HOUR),
            channel,
            clock::get);
  }

  @AfterEach
  void close() throws Exception {
    connection.close();
    shipping.close();
  }

  @Test
  void deletesAtOnceAfterAPauseAndThenTogether() throws Exception {
    round(message());
    assertThat(deletions()).isZero();
    round(message());
    assertThat(deletions()).as("the first, which comes after a pause").isEqualTo(1);
    OutboxMessage third = message();
    round(third);
    round(message());
    assertThat(deletions()).isEqualTo(1);
    assertThat(Shipping.rows()).isEqualTo(3);
    clock.addAndGet(ConfirmedRows.APART.toNanos());
    OutboxMessage last = message();
    round(last);
    assertThat(deletions()).isEqualTo(2);
    assertThat(Shipping.rows()).isEqualTo(1);
    assertThat(channel.written).hasSize(5).contains(third.id()).endsWith(last.id());
  }

  @Test
  void deletesManyHoweverShortThePause() throws Exception {
    round(message());
    round(message());
    round(Stream.generate(this::message).limit(ConfirmedRows.MANY).toArray(OutboxMessage[]::new));
    assertThat(deletions()).isEqualTo(1);
    round(message());
    assertThat(deletions()).isEqualTo(2);
    assertThat(Shipping.rows()).isEqualTo(1);
  }

  /** The row of the one before is still there, and is no reason to wait. */
  @Test
  void publishesWhatFollowsAConfirmedMessageBeforeItsRowIsDeleted() throws Exception {
    List<OutboxMessage> inOrder = Stream.generate(this::following).limit(4).toList();
    for (OutboxMessage message : inOrder) {
      round(message);
    }
    assertThat(Shipping.rows()).isEqualTo(3);
    assertThat(channel.written).isEqualTo(inOrder.stream().map(OutboxMessage::id).toList());
  }

  @Test
  void holdsBackWhatFollowsAMessageThatTheBrokerRefused() throws Exception {
    OutboxMessage refused = following();
    channel.refuses.add(refused.id());
    round(refused);
    round(following());
    round(message());
    assertThat(channel.written).hasSize(2).startsWith(refused.id());
    assertThat(rounds.holdsBack()).isTrue();
  }

  /** Nor is it asked what lies before it. */
  @Test
  void publishesACommandThatFollowsAMessageThatTheBrokerRefused() throws Exception {
    OutboxMessage refused = following(shipping.event());
    channel.refuses.add(refused.id());
    round(refused);
    OutboxMessage command = following(shipping.command());
    round(command);
    assertThat(channel.written).containsExactly(refused.id(), command.id());
    assertThat(rounds.holdsBack()).isFalse();
  }

  @Test
  void deletesWhatIsConfirmedWhenItEnds() throws Exception {
    round(message());
    round(message());
    round(message());
    assertThat(Shipping.rows()).isEqualTo(2);
    assertThat(rounds.end(List.of(), Duration.ZERO)).as("left to other relays").isZero();
    assertThat(Shipping.rows()).isZero();
  }

  /** What is confirmed is not published again because its row could not be deleted at first. */
  @Test
  void deletesWhatIsConfirmedOnAnotherConnectionWhenItsOwnBreaks() throws Exception {
    round(message());
    round(message());
    round(message());
    clock.addAndGet(ConfirmedRows.APART.toNanos());
    connection.close();
    queue.answered();
    assertThatThrownBy(rounds::turn).isInstanceOf(SQLException.class);
    assertThat(rounds.end(List.of(), Duration.ZERO)).isZero();
    assertThat(Shipping.rows()).isZero();
  }

  private OutboxMessage message() {
    return shipping.command();
  }

  private OutboxMessage following() {
    return following(shipping.event());
  }

  private OutboxMessage following(OutboxMessage any) {
    return new OutboxMessage(
        any.id(),
        any.aggregateType(),
        aggregate.toString(),
        any.type(),
        any.payload(),
        any.exchange(),
        any.routingKey(),
        any.correlationId(),
        any.replyTo(),
        any.headers());
  }

  private void round(OutboxMessage... committed) throws Exception {
    shipping.commitSilently(committed);
    queue.offer(List.of(committed), clock.get() + HOUR.toNanos());
    assertThat(rounds.turn()).isTrue();
  }

  private long deletions() {
    return database.statements().stream().filter("DELETE outbox_message"::equals).count();
  }

  private static final class Confirming implements MessageChannel {

    final List<UUID> written = new ArrayList<>();
    final Set<UUID> refuses = new HashSet<>();
    private final Set<UUID> unanswered = new HashSet<>();

    @Override
    public void write(List<OutgoingMessage> batch, Duration atMost) {
      for (OutgoingMessage outgoing : batch) {
        outgoing.messages().forEach(message -> written.add(message.id()));
        unanswered.add(outgoing.id());
      }
    }

    @Override
    public Published answered() {
      Set<UUID> confirmed = new HashSet<>(unanswered);
      confirmed.removeAll(refuses);
      unanswered.retainAll(refuses);
      Map<UUID, String> refused = new HashMap<>();
      unanswered.forEach(id -> refused.put(id, "as the test wants it"));
      unanswered.clear();
      return new Published(confirmed, refused);
    }

    @Override
    public Published await(Duration deadline) {
      return answered();
    }

    @Override
    public boolean isSettled() {
      return unanswered.isEmpty();
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public boolean isBlocked() {
      return false;
    }

    @Override
    public void close() {}
  }
}
