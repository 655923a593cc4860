package io.onceflow.inbox.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.inbox.Fixture;
import io.onceflow.inbox.Handlers;
import io.onceflow.inbox.Saga;
import io.onceflow.inbox.TestConfig;
import io.onceflow.inbox.World;
import io.onceflow.inbox.internal.HandledStep.Progress;
import io.onceflow.inbox.internal.HandledSteps.Owner;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.participant.CallKey;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a participant can tell of the steps of one saga. */
@Timeout(60)
class HandledStepsTest {

  private static final List<String> ALL = List.of("take-money", "give-money-back", "never-asked");

  private final Fixture fixture = new Fixture();
  private final World world = fixture.world;
  private final Participant participant = fixture.participant();
  private final HandledSteps steps = new HandledSteps(Saga.PAYMENTS.source(), List.of());
  private final Saga saga = new Saga();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void tellWhenAStepArrivedBeganAndWasAnswered() throws Exception {
    participant.settle(List.of(saga.take()));
    await().until(() -> saga.replies().equals(List.of("MoneyTaken")));

    HandledStep step = only();

    assertThat(step.step()).isEqualTo("take-money");
    assertThat(step.progress()).isEqualTo(Progress.ANSWERED);
    assertThat(step.outcome()).isEqualTo(ReplyOutcome.DONE);
    assertThat(step.attempts()).isEqualTo(1);
    assertThat(step.arrivedAt()).isNotNull().isEqualTo(step.begunAt());
    assertThat(step.answeredAt()).isNotNull().isAfter(step.begunAt());
    assertThat(step.dueAt()).isNull();
  }

  /** Before: it was shown as given back for ever. */
  @Test
  void tellWhatFailedAfterItWasAnswered() throws Exception {
    participant.settle(List.of(saga.take()));
    await().until(() -> saga.replies().equals(List.of("MoneyTaken")));
    LaterFailures bank =
        (connection, calls) ->
            calls.stream().collect(Collectors.toMap(call -> call, call -> "sent back " + call));

    HandledSteps asked = new HandledSteps(Saga.PAYMENTS.source(), List.of(bank));
    List<HandledStep> found = asked.find(new Owner("ada", new IdempotencyKey(saga.root), ""), ALL);

    assertThat(only().laterFailure()).isNull();
    assertThat(found)
        .extracting(HandledStep::laterFailure)
        .containsExactly("sent back " + CallKey.of("ada", saga.takeKey()).value());
  }

  @Test
  void tellUntilWhenAStepIsLeftToItsOwner() throws Exception {
    world.behave(saga.takeKey(), World.until(new CountDownLatch(1)));
    participant.settle(List.of(saga.take()));

    HandledStep step = only();

    assertThat(step.progress()).isEqualTo(Progress.STARTED);
    assertThat(step.begunAt()).isNotNull().isEqualTo(step.arrivedAt());
    assertThat(step.dueAt()).isNotNull().isAfter(step.begunAt());
    assertThat(step.answeredAt()).isNull();
    assertThat(step.outcome()).isNull();
  }

  /** Its first attempt is not told apart from its arrival, the last one is. */
  @Test
  void tellWhenTheLastAttemptBegan() throws Exception {
    world.behave(saga.takeKey(), World.until(new CountDownLatch(1)));
    participant.settle(List.of(saga.take()));
    saga.endLease(saga.takeKey());
    fixture.participant().recover();
    await().until(() -> saga.replies().equals(List.of("MoneyTaken")));

    HandledStep step = only();

    assertThat(step.attempts()).isEqualTo(2);
    assertThat(step.begunAt()).isNotNull().isAfter(step.arrivedAt()).isBefore(step.answeredAt());
  }

  @Test
  void tellThatAStepStillWaitsForAPlace() throws Exception {
    Participant full =
        fixture.participant(
            TestConfig.inbox(Map.of("call-out.concurrency", 1, "call-out.waiting", 0)));
    Saga first = new Saga();
    world.behave(first.takeKey(), World.until(new CountDownLatch(1)));
    full.settle(List.of(first.take()));
    full.settle(List.of(saga.take()));

    HandledStep step = only();

    assertThat(step.arrivedAt()).isNotNull();
    assertThat(step.begunAt()).isNull();
    assertThat(step.attempts()).isZero();
  }

  /** PostgreSQL gives no field of a JSON that has it anywhere. */
  @Test
  void tellOfAReplyThatHoldsTheCharacterNul() throws Exception {
    participant.settle(List.of(saga.take()));
    await().until(() -> saga.replies().equals(List.of("MoneyTaken")));
    Saga.PAYMENTS.update(
        "UPDATE inbox_message SET outcome = ?::json WHERE step_key = ?",
        "{\"type\":\"MoneyTaken\",\"payload\":{\"note\":\"a\\u0000b\"},\"result\":\"done\"}",
        saga.takeKey());

    assertThat(only().outcome()).isEqualTo(ReplyOutcome.DONE);
  }

  /** Older releases did not keep when a step was taken up. */
  @Test
  void doNotGuessWhatWasNotKept() throws Exception {
    participant.settle(List.of(saga.take(Handlers.DECLINED)));
    await().until(() -> saga.replies().equals(List.of("MoneyDeclined")));
    Saga.PAYMENTS.update(
        "UPDATE inbox_message SET fencing_token = 2, attempts = 2 WHERE step_key = ?",
        saga.takeKey());

    HandledStep step = only();

    assertThat(step.begunAt()).isNull();
    assertThat(step.outcome()).isEqualTo(ReplyOutcome.REFUSED);
  }

  @Test
  void tellATombstoneFromAnArrival() throws Exception {
    participant.settle(List.of(saga.giveBack()));

    List<HandledStep> found = find(saga, "");

    assertThat(found)
        .extracting(HandledStep::step)
        .containsExactlyInAnyOrder("give-money-back", "take-money");
    HandledStep tombstone =
        found.stream().filter(step -> step.step().equals("take-money")).findFirst().orElseThrow();
    assertThat(tombstone.progress()).isEqualTo(Progress.TOMBSTONE);
    assertThat(tombstone.arrivedAt()).isNull();
    assertThat(tombstone.begunAt()).isNull();
    assertThat(tombstone.answeredAt()).isNotNull();
    assertThat(tombstone.attempts()).isZero();
  }

  @Test
  void areThoseOfOneOriginAndScope() throws Exception {
    participant.settle(
        List.of(
            saga.with(
                Map.of(
                    MessageHeaders.SAGA_ORIGIN,
                    "shop/sell",
                    MessageHeaders.SAGA_STEP,
                    "take-money"),
                saga.take())));

    assertThat(find(saga, "shop/sell")).hasSize(1);
    assertThat(find(saga, "")).isEmpty();
    assertThat(find(saga, "shop/return")).isEmpty();
    assertThat(steps.find(new Owner("grace", new IdempotencyKey(saga.root), "shop/sell"), ALL))
        .isEmpty();
  }

  /**
   * One customer may have most of the rows; all the same only those that are asked for are read.
   */
  @Test
  void areFoundByThePrimaryKey() {
    TestDatabase database = TestDatabase.inSchema("handled");
    database.update(
        """
        INSERT INTO inbox_message
               (scope, step_key, fingerprint, status, received_at, completed_at, outcome)
        SELECT 'big-customer', 'plan-' || n || ':take-money', '', 'COMPLETED', now(), now(), '{}'
        FROM   generate_series(1, 20000) AS n
        ON CONFLICT DO NOTHING
        """);
    database.update("ANALYZE inbox_message");

    List<String> plan =
        database.texts(
            "EXPLAIN " + HandledSteps.FIND,
            "big-customer",
            new String[] {"plan-1:take-money", "plan-2:take-money", "plan-3:take-money"});

    assertThat(String.join("\n", plan))
        .containsPattern("Index Cond: .*scope = .*step_key = ANY")
        .doesNotContain("Seq Scan");
  }

  private HandledStep only() throws SQLException {
    List<HandledStep> found = find(saga, "");
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  private List<HandledStep> find(Saga asked, String origin) throws SQLException {
    return steps.find(new Owner("ada", new IdempotencyKey(asked.root), origin), ALL);
  }
}
