package io.onceflow.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.idempotency.testing.CountedDatabase;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.OwnUnitOfWork;
import io.onceflow.outbox.RecordedChannel;
import io.onceflow.outbox.Shipping;
import io.onceflow.outbox.TestConfig;
import io.onceflow.outbox.internal.OutboxConfig;
import io.onceflow.outbox.internal.OutboxTable;
import io.onceflow.outbox.internal.UnitOfWork;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is committed is published by its thread; what is confirmed is deleted by the next one. */
@Timeout(60)
class DirectPublisherTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private final Shipping shipping = new Shipping();
  private final AtomicBoolean failsToConnect = new AtomicBoolean();
  private final AtomicBoolean failsToCommit = new AtomicBoolean();
  private final AtomicReference<Runnable> beforeCommit = new AtomicReference<>(() -> {});
  private final CountedDatabase database = new CountedDatabase(failing());
  private final UnitOfWork unitOfWork = OwnUnitOfWork.on(database.source(), shipping.signal);
  private final AtomicLong clock = new AtomicLong();
  private final OutboxConfig.Relay config =
      TestConfig.outbox(
              Map.of(
                  "relay.batch-size",
                  2 * DirectPublishLoop.MANY,
                  "relay.direct-publish-grace",
                  HOUR))
          .relay();
  private final DirectPublisher publisher = new DirectPublisher(config, clock::get);
  private final RecordedChannel channel = new RecordedChannel();
  private final UUID aggregate = UUID.randomUUID();
  private DirectPublishLoop loop;

  @BeforeEach
  void begin() {
    publisher.open(channel);
    shipping.signal.publishBy(publisher);
    loop =
        new DirectPublishLoop(
            publisher,
            shipping.signal,
            database.source(),
            new OutboxTable(new ObjectMapper()),
            atMost -> channel,
            config,
            new RelayReport(shipping.metrics, HOUR),
            new CountDownLatch(1));
  }

  @Test
  void theThreadThatCommitsPublishes() throws Exception {
    OutboxMessage first = shipping.command();
    OutboxMessage second = shipping.command();
    commit(first, second);
    assertThat(channel.written()).containsExactly(first.id(), second.id());
    assertThat(channel.writers()).containsExactly(Thread.currentThread());
  }

  /** A commit that comes while another thread writes does not wait for the broker. */
  @Test
  void aThreadThatWritesWritesForOthersAsWell() throws Exception {
    CountDownLatch isWriting = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    channel.duringWrite(
        () -> {
          isWriting.countDown();
          await().until(() -> mayGoOn.getCount() == 0);
        });
    OutboxMessage first = shipping.command();
    OutboxMessage second = shipping.command();
    Thread writer = Thread.startVirtualThread(() -> commitUnchecked(first));
    isWriting.await();
    commit(second);
    assertThat(channel.written()).isEmpty();
    mayGoOn.countDown();
    writer.join();
    assertThat(channel.written()).containsExactly(first.id(), second.id());
    assertThat(channel.writers()).containsExactly(writer, writer);
  }

  @Test
  void theNextTransactionDeletesWhatIsConfirmed() throws Exception {
    commit(shipping.command(), shipping.command());
    channel.confirm();
    database.clear();
    OutboxMessage next = shipping.command();
    commit(next);
    assertThat(Shipping.rows()).isEqualTo(1);
    assertThat(database.statements()).as("with its insert").hasSize(1);
    assertThat(loop.turn()).isTrue();
    assertThat(database.statements()).as("nothing is left to the loop").hasSize(1);
  }

  @Test
  void aTransactionThatRollsBackLeavesTheRowsToTheNextOne() throws Exception {
    commit(shipping.command());
    channel.confirm();
    failsToCommit.set(true);
    assertThatThrownBy(() -> commit(shipping.command())).isInstanceOf(SQLException.class);
    assertThat(channel.written()).hasSize(1);
    assertThat(Shipping.rows()).isEqualTo(1);
    failsToCommit.set(false);
    commit(shipping.command());
    assertThat(Shipping.rows()).isEqualTo(1);
  }

  @Test
  void theLoopDeletesWhatNoTransactionDeletes() throws Exception {
    commit(shipping.command());
    channel.confirm();
    assertThat(loop.turn()).isTrue();
    assertThat(Shipping.rows()).as("a transaction may come").isEqualTo(1);
    clock.addAndGet(DirectPublishLoop.DELETE_AFTER.toNanos());
    assertThat(loop.turn()).isTrue();
    assertThat(Shipping.rows()).isZero();
  }

  @Test
  void theLoopDeletesManyHoweverRecent() throws Exception {
    commit(
        Stream.generate(shipping::command)
            .limit(DirectPublishLoop.MANY)
            .toArray(OutboxMessage[]::new));
    channel.confirm();
    assertThat(loop.turn()).isTrue();
    assertThat(Shipping.rows()).isZero();
  }

  /** The row of the one before is still there, and is no reason to wait. */
  @Test
  void publishesWhatFollowsAMessageThatIsUnderWay() throws Exception {
    List<OutboxMessage> inOrder = Stream.generate(this::following).limit(4).toList();
    for (OutboxMessage message : inOrder) {
      commit(message);
    }
    assertThat(channel.written()).isEqualTo(inOrder.stream().map(OutboxMessage::id).toList());
    channel.confirm();
    OutboxMessage last = following();
    commit(last);
    assertThat(channel.written()).endsWith(last.id()).hasSize(5);
  }

  @Test
  void holdsBackWhatFollowsAMessageThatTheBrokerRefused() throws Exception {
    OutboxMessage refused = following();
    commit(refused);
    channel.refuse();
    assertThat(loop.turn()).isTrue();
    OutboxMessage later = following();
    commit(later);
    assertThat(loop.turn()).isTrue();
    assertThat(channel.written()).containsExactly(refused.id());
    Shipping.DATABASE.update("DELETE FROM outbox_message WHERE id = ?", refused.id());
    assertThat(loop.turn()).isTrue();
    assertThat(channel.written()).containsExactly(refused.id(), later.id());
  }

  /** Seen red: it was taken for one that is under way, since it was when the event was written. */
  @Test
  void holdsBackWhatFollowsAMessageThatIsRefusedBeforeTheCommit() throws Exception {
    OutboxMessage refused = following();
    commit(refused);
    beforeCommit.set(channel::refuse);
    OutboxMessage later = following();
    commit(later);
    assertThat(channel.written()).containsExactly(refused.id());
    beforeCommit.set(() -> {});
    Shipping.DATABASE.update("DELETE FROM outbox_message WHERE id = ?", refused.id());
    assertThat(loop.turn()).isTrue();
    assertThat(channel.written()).containsExactly(refused.id(), later.id());
  }

  /** Nor is it asked what lies before it. */
  @Test
  void publishesACommandThatFollowsAMessageThatTheBrokerRefused() throws Exception {
    OutboxMessage refused = following();
    commit(refused);
    channel.refuse();
    assertThat(loop.turn()).isTrue();
    OutboxMessage command = following(shipping.command());
    commit(command);
    assertThat(channel.written()).containsExactly(refused.id(), command.id());
  }

  @Test
  void deletesWhatIsConfirmedAndReleasesTheRestWhenItEnds() throws Exception {
    commit(shipping.command(), shipping.command());
    channel.confirm();
    OutboxMessage left = shipping.command();
    shipping.commitSilently(left);
    publisher.publish(List.of(left), Set.of(), HOUR.toNanos());
    loop.end(Duration.ZERO);
    assertThat(Shipping.rows()).as("with what is not confirmed").isEqualTo(1);
    assertThat(
            Shipping.DATABASE.number(
                "SELECT count(*) FROM outbox_message WHERE next_attempt_at <= now()"))
        .isEqualTo(1);
    assertThat(publisher.grace()).as("it takes no more").isZero();
  }

  /** What is confirmed is not published again because its row could not be deleted at first. */
  @Test
  void deletesLaterWhatCouldNotBeDeleted() throws Exception {
    commit(shipping.command());
    channel.confirm();
    clock.addAndGet(2 * DirectPublishLoop.DELETE_AFTER.toNanos());
    failsToConnect.set(true);
    assertThat(loop.turn()).isTrue();
    assertThat(Shipping.rows()).isEqualTo(1);
    failsToConnect.set(false);
    clock.addAndGet(2 * DirectPublishLoop.DELETE_AFTER.toNanos());
    assertThat(loop.turn()).isTrue();
    assertThat(Shipping.rows()).isZero();
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

  private void commit(OutboxMessage... messages) throws SQLException {
    unitOfWork.run(tx -> tx.send(List.of(messages)));
  }

  private void commitUnchecked(OutboxMessage message) {
    try {
      commit(message);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private DataSource failing() {
    return proxy(
        DataSource.class,
        (proxy, method, arguments) -> {
          if (failsToConnect.get()) {
            throw new SQLException("it fails to connect");
          }
          return failing((Connection) method.invoke(Shipping.DATABASE.source(), arguments));
        });
  }

  private Connection failing(Connection connection) {
    return proxy(
        Connection.class,
        (proxy, method, arguments) -> {
          if (method.getName().equals("commit")) {
            beforeCommit.get().run();
          }
          if (method.getName().equals("commit") && failsToCommit.get()) {
            throw new SQLException("it fails to commit");
          }
          try {
            return method.invoke(connection, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            DirectPublisherTest.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
