package io.onceflow.local.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.IdempotentReceiver;
import io.onceflow.inbox.internal.consumer.MessageReceiver;
import io.onceflow.inbox.internal.consumer.MessageSource;
import io.onceflow.inbox.internal.consumer.ReceivedMessage;
import io.onceflow.internal.database.FailureKind;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.outbox.internal.transport.LocalReceivers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which messages need no row of the outbox, and what becomes of them. */
class DirectReceiversTest {

  private static final String STEP = "x-saga-step";

  private final LocalTransport transport = new LocalTransport();
  private final LocalReceivers local = transport.localReceivers();
  private final Sagas sagas = new Sagas();
  private final OpenTransaction tx = new OpenTransaction();
  private final List<AutoCloseable> open = new ArrayList<>();

  @BeforeEach
  void subscribe() {
    subscribe("trips.replies", OutboxMessage.REPLIES, "trips.#", false);
    subscribe("trips.commands", OutboxMessage.COMMANDS, "flight.#", false);
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  @Test
  void onlyWhatASagaSendsAgainMayGoWithoutARow() {
    assertThat(local.take(command("saga-1", Map.of(STEP, "reserve-flight")))).isTrue();
    assertThat(local.take(command("saga-1", Map.of())))
        .as("its sender may be no saga, and send it once")
        .isFalse();
    assertThat(local.take(command(null, Map.of(STEP, "reserve-flight")))).isFalse();
  }

  @Test
  void aPausedParticipantTakesNothingWithoutARow() throws Exception {
    open.getLast().close();

    assertThat(local.take(command("saga-1", Map.of(STEP, "reserve-flight")))).isFalse();
  }

  @Test
  void whatFindsNoRoomWaitsInTheOutbox() {
    int taken = 0;
    while (takes("saga-" + taken) && taken < 100_000) {
      taken++;
    }

    assertThat(taken).as("the consumer has not been started").isEqualTo(1_000);
  }

  private boolean takes(String saga) {
    OutboxMessage command = command(saga, Map.of(STEP, "reserve-flight"));
    boolean isTaken = local.take(command);
    if (isTaken) {
      local.deliver(List.of(command));
    }
    return isTaken;
  }

  /** A backlog that lasts longer than the wait for a reply would grow with each resend. */
  @Test
  void aCommandThatWaitsIsNotHandedOverTwice() {
    for (int i = 0; i < 2_000; i++) {
      assertThat(takes("saga-1")).isTrue();
    }

    assertThat(takes("saga-2")).as("room").isTrue();
  }

  @Test
  void aReplyIsSettledInTheTransactionThatSendsIt() throws SQLException {
    List<OutboxMessage> messages = new ArrayList<>(List.of(reply("saga-1"), reply("saga-2")));

    local.settle(tx, false, messages);

    assertThat(messages).isEmpty();
    assertThat(sagas.answered).containsExactly("saga-1", "saga-2");
  }

  /** The saga may not ask a pending step again for hours. */
  @Test
  void aReplyHasARowWhereItsSagaNeedsAnotherTransaction() throws Exception {
    open.get(0).close();
    subscribe("trips.replies", OutboxMessage.REPLIES, "trips.#", true);
    List<OutboxMessage> messages = new ArrayList<>(List.of(reply("saga-1")));

    local.settle(tx, false, messages);
    assertThat(messages).hasSize(1);
    assertThat(local.take(messages.getFirst())).isFalse();

    local.settle(tx, true, messages);
    assertThat(messages).isEmpty();
  }

  /** A step's result does not depend on what its saga makes of it. */
  @Test
  void aReplyThatCannotBeSettledIsLeftByTheNextAttempt() throws SQLException {
    sagas.failure = new IllegalStateException("a defect of the definition");
    List<OutboxMessage> messages = new ArrayList<>(List.of(reply("saga-1")));

    assertThatThrownBy(() -> local.settle(tx, false, new ArrayList<>(messages)))
        .satisfies(it -> assertThat(FailureKind.of(it)).isEqualTo(FailureKind.RACE))
        .hasRootCauseMessage("a defect of the definition");

    local.settle(tx, false, messages);
    assertThat(messages).as("it gets a row").hasSize(1);

    sagas.failure = null;
    local.settle(tx, false, messages);
    assertThat(messages).as("the next one of the saga").isEmpty();
  }

  @Test
  void whileTheDatabaseIsAwayNothingChanges() throws SQLException {
    sagas.failure = new SQLException("the connection is broken", "08006");

    assertThatThrownBy(() -> local.settle(tx, false, new ArrayList<>(List.of(reply("saga-1")))))
        .isSameAs(sagas.failure);

    sagas.failure = null;
    List<OutboxMessage> messages = new ArrayList<>(List.of(reply("saga-1")));
    local.settle(tx, false, messages);
    assertThat(messages).isEmpty();
  }

  private void subscribe(String name, String exchange, String pattern, boolean isJta) {
    IdempotentReceiver receiver =
        new IdempotentReceiver(new Transactions(isJta), null, null, sagas);
    BatchConsumer consumer = new BatchConsumer(name, 10, receiver);
    open.add(
        transport.subscribe(
            new MessageSource.Queue(name, exchange, List.of(pattern)), consumer, receiver));
  }

  private static OutboxMessage command(String saga, Map<String, String> headers) {
    return message(OutboxMessage.COMMANDS, "flight.reserve", saga, headers);
  }

  private static OutboxMessage reply(String saga) {
    return message(
        OutboxMessage.REPLIES,
        "trips.trips",
        saga,
        Map.of(STEP, "reserve-flight", "x-idempotency-key", "5f0c", "x-idempotency-scope", "ada"));
  }

  private static OutboxMessage message(
      String exchange, String routingKey, String saga, Map<String, String> headers) {
    return new OutboxMessage(
        OutboxMessage.newId(),
        "trip",
        UUID.randomUUID().toString(),
        "StepDone",
        "{}",
        exchange,
        routingKey,
        saga,
        "trips",
        headers);
  }

  /** Are answered, or fail. */
  private static final class Sagas implements MessageReceiver {

    private final List<String> answered = new ArrayList<>();
    private Exception failure;

    @Override
    public Reception examine(Transaction tx, List<ReceivedMessage> batch) throws SQLException {
      switch (failure) {
        case null -> batch.forEach(reply -> answered.add(reply.message().correlationId()));
        case SQLException away -> throw away;
        default -> throw (RuntimeException) failure;
      }
      return new Reception() {
        @Override
        public List<Verdict> verdicts() {
          return batch.stream().<Verdict>map(reply -> new Verdict.Handled()).toList();
        }

        @Override
        public void apply(List<ReceivedMessage> fresh) {
          // All is done.
        }
      };
    }
  }

  /** Never begins any. */
  private static final class Transactions extends UnitOfWork {

    private final boolean isJta;

    Transactions(boolean isJta) {
      super(null, null);
      this.isJta = isJta;
    }

    @Override
    public boolean isJta() {
      return isJta;
    }
  }

  private static final class OpenTransaction implements Transaction {

    @Override
    public Connection connection() {
      throw new AssertionError("nothing is written");
    }

    @Override
    public void send(Collection<OutboxMessage> messages) {
      throw new AssertionError("nothing is sent");
    }

    @Override
    public void afterCommit(Runnable told) {
      // It does not commit.
    }
  }
}
