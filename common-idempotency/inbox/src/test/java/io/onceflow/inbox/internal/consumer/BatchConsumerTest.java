package io.onceflow.inbox.internal.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.testing.FlakyDatabase;
import io.onceflow.inbox.Fixture;
import io.onceflow.inbox.Handlers;
import io.onceflow.inbox.Saga;
import io.onceflow.inbox.TestConfig;
import io.onceflow.inbox.World;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages on their way from the transport into the database. */
@Timeout(60)
class BatchConsumerTest {

  private final Fixture fixture = new Fixture();
  private final World world = fixture.world;
  private final FlakyDatabase database = new FlakyDatabase(Saga.PAYMENTS.source());
  private final Participant participant =
      fixture.participant(TestConfig.inbox(), database.source(), Handlers.all(fixture.world));
  private final BatchConsumer intake = fixture.intake(participant);
  private final Saga saga = new Saga();

  @AfterEach
  void close() {
    fixture.close();
  }

  /**
   * Rule 2: what is acknowledged is in the database by then. Seen red when the intake acknowledged
   * before it settled.
   */
  @Test
  void acknowledgesAfterTheCommit() throws Exception {
    CompletableFuture<@Nullable String> seenAtAck = new CompletableFuture<>();
    Delivery take = saga.take();
    intake.accept(acknowledgedBy(take, () -> seenAtAck.complete(saga.statusOf(saga.takeKey()))));
    assertThat(seenAtAck.get()).isIn("STARTED", "COMPLETED");
  }

  @Test
  void acknowledgesAParkedMessageAfterItsCommit() throws Exception {
    CompletableFuture<List<String>> seenAtAck = new CompletableFuture<>();
    Delivery nonsense = saga.command("TakeMoney", "nonsense");
    intake.accept(acknowledgedBy(nonsense, () -> seenAtAck.complete(saga.parkedFor())));
    assertThat(seenAtAck.get()).containsExactly("malformed");
  }

  /** Their leases run: seen red when each was settled in its turn behind messages that fail. */
  @Test
  void settlesTheResultsOfABatchThatFailedBeforeItsMessages() throws Exception {
    List<String> settled = new ArrayList<>();
    BatchConsumer.Settling settling = new BatchConsumer.Settling(new FailsAtMessages(settled));
    BatchItem result = () -> null;
    new BatchLoop<>("test", settling, pause -> {}, () -> true)
        .settle(List.of(saga.take(), result, new Saga().take(), result));
    assertThat(settled)
        .containsExactly(
            "2 messages, 2 results",
            "0 messages, 2 results",
            "1 messages, 0 results",
            "parked",
            "1 messages, 0 results",
            "parked");
  }

  private record FailsAtMessages(List<String> settled) implements BatchSettler {

    @Override
    public void settle(List<Delivery> batch) {
      throw new UnsupportedOperationException("results come along");
    }

    @Override
    public void settle(List<Delivery> batch, List<BatchItem> results) {
      settled.add("%s messages, %s results".formatted(batch.size(), results.size()));
      if (!batch.isEmpty()) {
        throw new IllegalStateException("a message that cannot be handled");
      }
    }

    @Override
    public void park(Delivery delivery, UnprocessableMessage why) {
      settled.add("parked");
    }

    @Override
    public boolean redrive(Parked parked) {
      return false;
    }
  }

  /** Seen red when it waited for the message, whose row another transaction may keep locked. */
  @Test
  void settlesAResultWhileAMessageIsHeldUp() {
    CountDownLatch isLocked = new CountDownLatch(1);
    AtomicInteger results = new AtomicInteger();
    BatchConsumer consumer = fixture.intake(new HeldUpByMessages(isLocked, results));
    consumer.accept(saga.take());
    await().until(consumer::isHeldUp);
    consumer.accept(() -> null);
    await().until(() -> results.get() == 1);
    assertThat(consumer.isIdle()).as("the message waits").isFalse();
    isLocked.countDown();
    await().until(consumer::isIdle);
  }

  private record HeldUpByMessages(CountDownLatch isLocked, AtomicInteger results)
      implements BatchSettler {

    @Override
    public void settle(List<Delivery> batch) {
      throw new UnsupportedOperationException("results may come along");
    }

    @Override
    public void settle(List<Delivery> batch, List<BatchItem> late) {
      if (!batch.isEmpty()) {
        await().until(() -> isLocked.getCount() == 0);
      }
      results.addAndGet(late.size());
    }

    @Override
    public void park(Delivery delivery, UnprocessableMessage why) {
      throw new UnsupportedOperationException("nothing is parked");
    }

    @Override
    public boolean redrive(Parked parked) {
      return false;
    }
  }

  /** Rule 2 again: nothing is acknowledged that could not be committed. */
  @Test
  void acknowledgesNothingWhileTheDatabaseIsAwayAndResumesByItself() {
    database.goAway();
    List<Saga> sagas = Stream.generate(Saga::new).limit(10).toList();
    sagas.forEach(one -> intake.accept(one.take()));
    await().until(() -> database.refusals() >= 3);
    assertThat(sagas).allMatch(one -> one.acknowledged.get() == 0);
    database.comeBack();
    await().until(() -> sagas.stream().allMatch(one -> one.replies().size() == 1));
    for (Saga one : sagas) {
      assertThat(one.replies()).containsExactly("MoneyTaken");
      assertThat(one.acknowledged).hasValue(1);
      assertThat(one.parkedFor()).isEmpty();
      assertThat(world.callsUnder(one.takeKey())).isEqualTo(1);
    }
  }

  /** While the database is away each new connection brings the same messages again. */
  @Test
  void dropsWhatCameByAChannelThatHasClosed() {
    AtomicBoolean closed = new AtomicBoolean();
    database.goAway();
    intake.accept(by(closed, saga.take()));
    await().until(() -> database.refusals() >= 1);
    Saga other = new Saga();
    for (int i = 0; i < 100; i++) {
      intake.accept(by(closed, other.take()));
    }
    assertThat(intake.size()).isEqualTo(100);
    closed.set(true);
    intake.dropLost();
    assertThat(intake.size()).isZero();
    database.comeBack();
    intake.accept(by(new AtomicBoolean(), saga.take()));
    await().untilAsserted(() -> assertThat(saga.replies()).contains("MoneyTaken"));
    assertThat(other.replies()).isEmpty();
  }

  private static Delivery by(AtomicBoolean closed, Delivery message) {
    return acknowledgedBy(
        message,
        new Delivery.Receipt() {
          @Override
          public Runnable note() {
            return () -> {};
          }

          @Override
          public boolean isLost() {
            return closed.get();
          }
        });
  }

  @Test
  void survivesAConnectionThatBreaksDuringTheCommit() {
    database.breakNextCommit();
    intake.accept(saga.take());
    await().untilAsserted(() -> assertThat(saga.replies()).containsExactly("MoneyTaken"));
    assertThat(saga.acknowledged).hasValue(1);
    assertThat(saga.parkedFor()).isEmpty();
  }

  @Test
  void writesTheResultOfACallOnceTheDatabaseIsBack() {
    world.behave(saga.takeKey(), database::goAway);
    intake.accept(saga.take());
    await().until(() -> database.refusals() >= 2);
    assertThat(saga.statusOf(saga.takeKey())).isEqualTo("STARTED");
    database.comeBack();
    await().untilAsserted(() -> assertThat(saga.replies()).containsExactly("MoneyTaken"));
    assertThat(world.callsUnder(saga.takeKey())).isEqualTo(1);
  }

  /** The handler throws, breaks down for good, or the database will not have what it decided. */
  @Test
  void letsAMessageThatSpoilsItsBatchCostOnlyItself() {
    Saga throwing = new Saga();
    Saga breaking = new Saga();
    Saga refused = new Saga();
    Saga after = new Saga();
    intake.accept(saga.take());
    intake.accept(throwing.take(Handlers.HANDLER_THROWS));
    intake.accept(breaking.take(Handlers.HANDLER_BREAKS));
    intake.accept(refused.take(Handlers.DATABASE_REFUSES));
    intake.accept(after.take());
    await().untilAsserted(() -> assertThat(after.replies()).containsExactly("MoneyTaken"));
    await().untilAsserted(() -> assertThat(saga.replies()).containsExactly("MoneyTaken"));
    for (Saga bad : List.of(throwing, breaking, refused)) {
      assertThat(bad.parkedFor()).containsExactly("handling-failed");
      assertThat(bad.replies()).isEmpty();
      assertThat(bad.statusOf(bad.takeKey())).isNull();
      assertThat(bad.acknowledged).hasValue(1);
    }
  }

  @Test
  void saysWhyItParked() {
    intake.accept(saga.take(Handlers.HANDLER_THROWS));
    String details = "SELECT detail FROM parked_message WHERE correlation_id = ?";
    await()
        .untilAsserted(
            () ->
                assertThat(Saga.PAYMENTS.texts(details, saga.correlationId))
                    .singleElement()
                    .asString()
                    .contains("the handler is at a loss"));
  }

  /** Two participants, as in two replicas, are given the same commands at the same moment. */
  @Test
  void carriesOutOnceWhatTwoReplicasTakeAtOnce() {
    BatchConsumer other = fixture.intake(fixture.participant());
    List<Saga> sagas = Stream.generate(Saga::new).limit(60).toList();
    for (Saga one : sagas) {
      Delivery command = one.take();
      intake.accept(command);
      other.accept(command);
    }
    await().until(() -> sagas.stream().allMatch(one -> one.acknowledged.get() == 2));
    await().until(() -> sagas.stream().noneMatch(one -> one.replies().isEmpty()));
    for (Saga one : sagas) {
      assertThat(one.replies()).containsOnly("MoneyTaken");
      assertThat(world.callsUnder(one.takeKey())).isEqualTo(1);
      assertThat(one.parkedFor()).isEmpty();
    }
  }

  @Test
  void leavesUnacknowledgedWhatItHasNotSettledWhenItCloses() {
    database.goAway();
    intake.accept(saga.take());
    await().until(() -> database.refusals() >= 1);
    intake.close();
    assertThat(saga.acknowledged).hasValue(0);
    BatchConsumer next = fixture.intake(fixture.participant());
    next.accept(saga.take());
    await().untilAsserted(() -> assertThat(saga.replies()).containsExactly("MoneyTaken"));
  }

  private static Delivery acknowledgedBy(Delivery delivery, Runnable acknowledge) {
    return new Delivery(
        delivery.queue(),
        delivery.messageId(),
        delivery.type(),
        delivery.correlationId(),
        delivery.replyTo(),
        Map.copyOf(delivery.headers()),
        new String(delivery.body(), UTF_8).getBytes(UTF_8),
        acknowledge);
  }
}
