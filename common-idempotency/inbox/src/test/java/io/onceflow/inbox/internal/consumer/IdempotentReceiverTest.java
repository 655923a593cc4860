package io.onceflow.inbox.internal.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.testing.CountedDatabase;
import io.onceflow.idempotency.testing.FlakyDatabase;
import io.onceflow.inbox.Fixture;
import io.onceflow.inbox.Saga;
import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OwnUnitOfWork;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replies take effect once each, and what follows from them commits with their inbox rows. */
@Timeout(60)
class IdempotentReceiverTest {

  private static final String UNKNOWN_SAGA = "\"no such saga\"";

  private static final byte[] BYTES = {'"', (byte) 0xe9, '"'};
  private static final byte[] OTHER_BYTES = {'"', (byte) 0xff, '"'};

  private final Fixture fixture = new Fixture();
  private final FlakyDatabase database = new FlakyDatabase(Saga.PAYMENTS.source());
  private final IdempotentReceiver replies =
      new IdempotentReceiver(
          OwnUnitOfWork.on(database.source()),
          fixture.parking(),
          new ReceiverByType(IdempotentReceiverTest::step, IdempotentReceiverTest::record));
  private final Saga saga = new Saga();

  @AfterEach
  void close() {
    fixture.close();
  }

  /** The receiver's own name for what it does with a reply. */
  private static Optional<String> step(InboundMessage message) {
    return message.type().equals("MoneyTaken") ? Optional.of("record-taking") : Optional.empty();
  }

  /** Writes a row for each, whose name is the saga; refuses a saga that it does not know. */
  private static void record(Transaction tx, List<InboundMessage> fresh) throws SQLException {
    try (PreparedStatement insert =
        tx.connection().prepareStatement("INSERT INTO thing (id, name) VALUES (?, ?)")) {
      for (InboundMessage message : fresh) {
        if (message.payload().equals(UNKNOWN_SAGA)) {
          throw new UnprocessableMessage(ParkingReason.UNKNOWN_SAGA, "it answers nobody here");
        }
        insert.setObject(1, UUID.randomUUID());
        insert.setString(2, message.correlationId());
        insert.executeUpdate();
      }
    }
  }

  @Test
  void recordsAReplyThatComesTwiceOnce() throws Exception {
    replies.settle(List.of(reply(saga)));
    replies.settle(List.of(reply(saga)));
    assertThat(recorded(saga)).isEqualTo(1);
    assertThat(saga.statusOf(saga.root + ":record-taking")).isEqualTo("COMPLETED");
  }

  @Test
  void looksForWhatCameBeforeOnlyWhenThereIsARow() throws Exception {
    CountedDatabase counted = new CountedDatabase(Saga.PAYMENTS.source());
    IdempotentReceiver receiver =
        new IdempotentReceiver(
            OwnUnitOfWork.on(counted.source()),
            fixture.parking(),
            new ReceiverByType(IdempotentReceiverTest::step, IdempotentReceiverTest::record));
    receiver.settle(List.of(reply(saga), reply(saga)));
    assertThat(counted.statements()).containsExactly("INSERT inbox_message", "INSERT thing");
    counted.clear();
    receiver.settle(List.of(reply(saga)));
    assertThat(counted.statements())
        .containsExactly("INSERT inbox_message", "SELECT inbox_message");
  }

  @Test
  void parksAnotherReplyUnderTheSameStepBesideARepeatAndANewOne() throws Exception {
    Saga last = new Saga();
    replies.settle(List.of(reply(saga, "1")));
    replies.settle(List.of(reply(saga, "2"), reply(saga, "1"), reply(last), reply(last, "4")));
    assertThat(saga.parkedFor()).containsExactly("fingerprint-mismatch");
    assertThat(last.parkedFor()).containsExactly("fingerprint-mismatch");
    assertThat(recorded(saga)).isEqualTo(1);
    assertThat(recorded(last)).isEqualTo(1);
  }

  @Test
  void recordsAReplyThatComesTwiceInOneBatchOnce() throws Exception {
    replies.settle(List.of(reply(saga), reply(saga), reply(saga)));
    assertThat(recorded(saga)).isEqualTo(1);
    assertThat(saga.parkedFor()).isEmpty();
  }

  @Test
  void recordsOnceWhatTwoReplicasTakeAtOnce() {
    BatchConsumer one = fixture.intake(replies);
    BatchConsumer other = fixture.intake(replies);
    for (int i = 0; i < 20; i++) {
      one.accept(reply(saga));
      other.accept(reply(saga));
    }
    await().until(() -> saga.acknowledged.get() == 40);
    assertThat(recorded(saga)).isEqualTo(1);
    assertThat(saga.parkedFor()).isEmpty();
  }

  @Test
  void parksAnotherReplyUnderTheSameStep() throws Exception {
    replies.settle(List.of(reply(saga, "1"), reply(saga, "2")));
    replies.settle(List.of(reply(saga, "3")));
    assertThat(saga.parkedFor()).containsExactly("fingerprint-mismatch", "fingerprint-mismatch");
    assertThat(recorded(saga)).isEqualTo(1);
  }

  @Test
  void parksWhatNobodyHereHandles() throws Exception {
    replies.settle(
        List.of(
            saga.command("MoneyLost", "{}"),
            saga.delivery("MoneyTaken", new byte[0], null, Map.of("x-idempotency-key", ""))));
    assertThat(saga.parkedFor()).containsExactlyInAnyOrder("unknown-type", "no-idempotency-key");
  }

  /** As characters it would be another text than was sent. */
  @Test
  void parksAPayloadThatIsNotUtf8() throws Exception {
    replies.settle(List.of(reply(saga, BYTES)));
    assertThat(saga.parkedFor()).containsExactly("malformed");
    assertThat(recorded(saga)).isZero();
    replies.settle(List.of(reply(saga, "\"\ufffd\"")));
    assertThat(recorded(saga)).isEqualTo(1);
  }

  /** As characters the two are the same, so that the second one passed for a repeat. */
  @Test
  void tellsPayloadsApartThatAreNotText() throws Exception {
    IdempotentReceiver receiver =
        new IdempotentReceiver(
            OwnUnitOfWork.on(database.source()), fixture.parking(), new AnyBytes());
    receiver.settle(List.of(reply(saga, BYTES)));
    receiver.settle(List.of(reply(saga, BYTES), reply(saga, OTHER_BYTES)));
    assertThat(recorded(saga)).isEqualTo(1);
    assertThat(saga.parkedFor()).containsExactly("fingerprint-mismatch");
  }

  /** A receiver whose payloads may be anything. */
  private record AnyBytes(ReceiverByType byType) implements MessageReceiver {

    AnyBytes() {
      this(new ReceiverByType(IdempotentReceiverTest::step, IdempotentReceiverTest::record));
    }

    @Override
    public boolean takesAnyBytes() {
      return true;
    }

    @Override
    public Reception examine(Transaction tx, List<ReceivedMessage> batch) {
      return byType.examine(tx, batch);
    }
  }

  @Test
  void letsAReplyThatItCannotHandleCostOnlyItself() {
    Saga stranger = new Saga();
    Saga last = new Saga();
    BatchConsumer intake = fixture.intake(replies);
    intake.accept(reply(saga));
    intake.accept(reply(stranger, UNKNOWN_SAGA));
    intake.accept(reply(last));
    await().until(() -> last.acknowledged.get() == 1);
    assertThat(stranger.parkedFor()).containsExactly("unknown-saga");
    assertThat(stranger.acknowledged).hasValue(1);
    assertThat(stranger.statusOf(stranger.root + ":record-taking")).isNull();
    assertThat(recorded(saga)).isEqualTo(1);
    assertThat(recorded(last)).isEqualTo(1);
  }

  /** Rule 1, of the inbox row and what follows from the message. */
  @Test
  void keepsNothingOfABatchThatFails() {
    assertThatThrownBy(() -> replies.settle(List.of(reply(saga), reply(new Saga(), UNKNOWN_SAGA))))
        .isInstanceOf(UnprocessableMessage.class);
    assertThat(recorded(saga)).isZero();
    assertThat(saga.statusOf(saga.root + ":record-taking")).isNull();
  }

  @Test
  void keepsNothingWhenTheCommitFails() throws Exception {
    database.breakNextCommit();
    assertThatThrownBy(() -> replies.settle(List.of(reply(saga)))).isInstanceOf(SQLException.class);
    assertThat(recorded(saga)).isZero();
    replies.settle(List.of(reply(saga)));
    assertThat(recorded(saga)).isEqualTo(1);
  }

  @Test
  void countsNothingOfABatchThatFails() throws Exception {
    List<Delivery> batch = List.of(reply(saga), reply(saga), saga.command("MoneyLost", "{}"));
    database.breakNextCommit();
    assertThatThrownBy(() -> replies.settle(batch)).isInstanceOf(SQLException.class);
    assertThat(fixture.metrics.find("onceflow.inbox.parked").counter()).isNull();
    replies.settle(batch);
    assertThat(fixture.metrics.get("onceflow.inbox.parked").counter().count()).isEqualTo(1);
    assertThat(fixture.metrics.get("onceflow.inbox.messages.repeated").counter().count())
        .isEqualTo(1);
  }

  private static Delivery reply(Saga saga) {
    return reply(saga, "{}");
  }

  private static Delivery reply(Saga saga, String payload) {
    return reply(saga, payload.getBytes(UTF_8));
  }

  private static Delivery reply(Saga saga, byte[] payload) {
    return saga.delivery("MoneyTaken", payload, null, Map.of());
  }

  private static long recorded(Saga saga) {
    return Saga.PAYMENTS.number("SELECT count(*) FROM thing WHERE name = ?", saga.correlationId);
  }
}
