package io.onceflow.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.onceflow.core.internal.StepKey;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.LeaseInvalid;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.inbox.internal.participant.ParticipantRepository;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Rule 4: work done under a lease completes only where the fencing token still matches. Seen red
 * when the token was taken out of the completion's WHERE: the late owner answered a second time.
 */
@Timeout(60)
class TakeOverTest {

  private static final Duration SOON = Duration.ofMillis(1);

  private final Fixture fixture = new Fixture();
  private final World world = fixture.world;
  private final Saga saga = new Saga();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aSuccessorFinishesWhatItsPredecessorBegan() throws Exception {
    Participant first = fixture.participant();
    world.behave(saga.takeKey(), World.until(new CountDownLatch(1)));
    first.settle(List.of(saga.take()));
    Participant second = fixture.participant();
    second.recover();
    assertThat(world.callsUnder(saga.takeKey())).as("its lease is not over").isEqualTo(1);
    saga.endLease(saga.takeKey());
    second.recover();
    awaitReplies("MoneyTaken");
    assertThat(saga.inbox("fencing_token", saga.takeKey())).isEqualTo("2");
    assertThat(world.callsUnder(saga.takeKey())).as("under the same key").isEqualTo(2);
    assertThat(saga.charge()).isEqualTo("CHARGED");
  }

  @Test
  void anOwnerThatComesBackLateWritesNothing() throws Exception {
    CountDownLatch letGo = new CountDownLatch(1);
    world.behave(saga.takeKey(), World.until(letGo));
    Participant first = fixture.participant();
    first.settle(List.of(saga.take()));
    await().until(() -> world.callsUnder(saga.takeKey()) == 1);
    saga.endLease(saga.takeKey());
    fixture.participant().recover();
    awaitReplies("MoneyTaken");
    letGo.countDown();
    await().until(() -> fixture.counted("fenced-off") == 1);
    first.close();
    assertThat(saga.replies()).containsExactly("MoneyTaken");
  }

  /** The late one comes while its successor is still at work: then, too, it is too late. */
  @Test
  void anOwnerThatComesBackBeforeItsSuccessorHasEndedWritesNothing() throws Exception {
    CountDownLatch letFirstGo = new CountDownLatch(1);
    CountDownLatch letSecondGo = new CountDownLatch(1);
    world.behave(saga.takeKey(), World.until(letFirstGo), World.until(letSecondGo));
    fixture.participant().settle(List.of(saga.take()));
    await().until(() -> world.callsUnder(saga.takeKey()) == 1);
    saga.endLease(saga.takeKey());
    fixture.participant().recover();
    await().until(() -> world.callsUnder(saga.takeKey()) == 2);
    letFirstGo.countDown();
    await().until(() -> fixture.counted("fenced-off") == 1);
    assertThat(saga.statusOf(saga.takeKey())).isEqualTo("STARTED");
    assertThat(saga.charge()).isNull();
    letSecondGo.countDown();
    awaitReplies("MoneyTaken");
  }

  @Test
  void aFailingCallIsMadeAgainAndItsAttemptsAreCounted() throws Exception {
    Participant participant =
        fixture.participant(
            TestConfig.inbox(
                Map.of("call-out.first-backoff", SOON, "call-out.longest-backoff", SOON)));
    world.behave(saga.takeKey(), World.failing(), World.failing());
    participant.settle(List.of(saga.take()));
    awaitRecovered(participant, "MoneyTaken");
    assertThat(world.callsUnder(saga.takeKey())).isEqualTo(3);
    assertThat(saga.inbox("attempts", saga.takeKey())).isEqualTo("3");
    assertThat(fixture.counted("call-failed")).isEqualTo(2);
  }

  @Test
  void aFailedCallRestsBeforeItIsMadeAgain() throws Exception {
    Duration hour = Duration.ofHours(1);
    Participant participant =
        fixture.participant(
            TestConfig.inbox(
                Map.of("call-out.first-backoff", hour, "call-out.longest-backoff", hour)));
    world.behave(saga.takeKey(), World.failing());
    participant.settle(List.of(saga.take()));
    String rest = "round(extract(epoch FROM lease_expires_at - now()) / 3600)";
    await().until(() -> "1".equals(saga.inbox(rest, saga.takeKey())));
    participant.recover();
    assertThat(world.callsUnder(saga.takeKey())).isEqualTo(1);
  }

  @Test
  void aCallBeyondItsDeadlineIsInterruptedAndMadeAgain() throws Exception {
    Participant participant =
        fixture.participant(
            TestConfig.inbox(
                Map.of(
                    "call-out.deadline",
                    Duration.ofMillis(50),
                    "call-out.first-backoff",
                    SOON,
                    "call-out.longest-backoff",
                    SOON)));
    CountDownLatch interrupted = new CountDownLatch(1);
    world.behave(saga.takeKey(), World.deaf(interrupted));
    participant.settle(List.of(saga.take()));
    interrupted.await();
    awaitRecovered(participant, "MoneyTaken");
    assertThat(world.callsUnder(saga.takeKey())).isEqualTo(2);
  }

  @Test
  void aCallThatLostItsAnswerTakesEffectOnce() throws Exception {
    Participant participant =
        fixture.participant(
            TestConfig.inbox(
                Map.of("call-out.first-backoff", SOON, "call-out.longest-backoff", SOON)));
    StepKey key = StepKey.parse(saga.takeKey());
    String reference = world.call("taken", key);
    world.behave(saga.takeKey(), World.failing());
    participant.settle(List.of(saga.take()));
    awaitRecovered(participant, "MoneyTaken");
    assertThat(saga.payloadsOf("MoneyTaken").getFirst()).contains(reference);
  }

  @Test
  void noMoreCallsAreUnderWayAtOnceThanAllowed() throws Exception {
    Participant participant =
        fixture.participant(
            TestConfig.inbox(Map.of("call-out.concurrency", 1, "call-out.waiting", 0)));
    CountDownLatch letGo = new CountDownLatch(1);
    world.behave(saga.takeKey(), World.until(letGo));
    participant.settle(List.of(saga.take()));
    Saga other = new Saga();
    participant.settle(List.of(other.take()));
    assertThat(participant.recover()).as("there is no room to take anything over").isZero();
    assertThat(other.statusOf(other.takeKey())).isEqualTo("STARTED");
    assertThat(world.callsUnder(other.takeKey())).isZero();
    letGo.countDown();
    await()
        .untilAsserted(
            () -> {
              participant.recover();
              assertThat(other.replies()).containsExactly("MoneyTaken");
            });
    assertThat(other.inbox("attempts", other.takeKey())).as("called once").isEqualTo("1");
  }

  /** Seen red: the one that nobody can decide about brought all others down with it. */
  @Test
  void aStepThatNobodyCanDecideAboutHoldsUpNobodyElse() throws Exception {
    Saga orphan = new Saga();
    Participant first = fixture.participant();
    world.behave(orphan.takeKey(), World.until(new CountDownLatch(1)));
    world.behave(saga.takeKey(), World.until(new CountDownLatch(1)));
    first.settle(List.of(orphan.take(), saga.take()));
    await().until(() -> world.callsUnder(orphan.takeKey()) == 1);
    await().until(() -> world.callsUnder(saga.takeKey()) == 1);
    first.close();
    Saga.PAYMENTS.update(
        "UPDATE inbox_message SET envelope = '{\"type\":\"Gone\"}' WHERE step_key = ?",
        orphan.takeKey());
    orphan.endLease(orphan.takeKey());
    saga.endLease(saga.takeKey());
    Duration hour = Duration.ofHours(1);
    Participant second =
        fixture.participant(
            TestConfig.inbox(
                Map.of("call-out.first-backoff", hour, "call-out.longest-backoff", hour)));
    awaitRecovered(second, "MoneyTaken");
    assertThat(orphan.statusOf(orphan.takeKey())).isEqualTo("STARTED");
    assertThat(orphan.inbox("attempts", orphan.takeKey())).isEqualTo("2");
    assertThat(orphan.inbox("lease_expires_at > now()", orphan.takeKey())).isEqualTo("true");
    Saga.PAYMENTS.update("DELETE FROM inbox_message WHERE step_key = ?", orphan.takeKey());
  }

  /** Seen red: as long as one row was locked, no step of its type or of a later one went on. */
  @Test
  void aStepWhoseRowIsLockedHoldsUpNeitherItsTypeNorOthers() throws Exception {
    Saga lockedTaking = new Saga();
    Saga lockedGivingBack = new Saga();
    Saga other = new Saga();
    Participant first = fixture.participant();
    first.settle(List.of(other.take(), lockedGivingBack.take()));
    await().until(() -> !other.replies().isEmpty() && !lockedGivingBack.replies().isEmpty());
    begin(first, lockedTaking.take(), lockedTaking.takeKey());
    begin(first, saga.take(), saga.takeKey());
    begin(first, lockedGivingBack.giveBack(), lockedGivingBack.giveBackKey());
    begin(first, other.giveBack(), other.giveBackKey());
    first.close();
    lockedTaking.endLease(lockedTaking.takeKey());
    saga.endLease(saga.takeKey());
    lockedGivingBack.endLease(lockedGivingBack.giveBackKey());
    other.endLease(other.giveBackKey());

    Participant second =
        fixture.participant(
            TestConfig.inbox(),
            Saga.PAYMENTS.source(),
            Fixture.handlers(
                new LockedRows(Set.of(lockedTaking.subject, lockedGivingBack.subject)),
                Handlers.all(world)));
    await()
        .untilAsserted(
            () -> {
              second.recover();
              assertThat(saga.replies()).containsExactly("MoneyTaken");
              assertThat(other.replies()).containsExactly("MoneyTaken", "MoneyGivenBack");
            });
    assertThat(lockedTaking.statusOf(lockedTaking.takeKey())).isEqualTo("STARTED");
    assertThat(lockedGivingBack.statusOf(lockedGivingBack.giveBackKey())).isEqualTo("STARTED");
    Saga.PAYMENTS.update(
        "DELETE FROM inbox_message WHERE step_key IN (?, ?)",
        lockedTaking.takeKey(),
        lockedGivingBack.giveBackKey());
  }

  private void begin(Participant participant, Delivery command, String key) throws SQLException {
    world.behave(key, World.until(new CountDownLatch(1)));
    participant.settle(List.of(command));
    await().until(() -> world.callsUnder(key) == 1);
  }

  /** Some of the rows are locked by another transaction: reading them takes too long. */
  private record LockedRows(Set<UUID> locked, ChargeRows rows)
      implements ParticipantRepository<Charge> {

    LockedRows(Set<UUID> locked) {
      this(locked, new ChargeRows());
    }

    @Override
    public Map<UUID, List<Charge>> load(Connection connection, Set<UUID> subjects)
        throws SQLException {
      if (subjects.stream().anyMatch(locked::contains)) {
        throw new SQLException("canceling statement due to statement timeout", "57014");
      }
      return rows.load(connection, subjects);
    }

    @Override
    public void save(Connection connection, Collection<Charge> changed) throws SQLException {
      rows.save(connection, changed);
    }

    @Override
    public boolean wasWrittenBy(Charge row, String scope, StepKey step) {
      return rows.wasWrittenBy(row, scope, step);
    }
  }

  @Test
  void aParticipantThatClosesWritesDownWhatItKnows() throws Exception {
    Participant participant = fixture.participant();
    for (int i = 0; i < 20; i++) {
      participant.settle(List.of(new Saga().take()));
    }
    CountDownLatch interrupted = new CountDownLatch(1);
    world.behave(saga.takeKey(), World.deaf(interrupted));
    participant.settle(List.of(saga.take()));
    await().until(() -> world.callsUnder(saga.takeKey()) == 1);
    participant.close();
    assertThat(fixture.counted("completed")).isEqualTo(20);
    assertThat(interrupted.getCount()).isZero();
    String soon = "lease_expires_at < now() + interval '1 s'";
    assertThat(saga.inbox(soon, saga.takeKey()))
        .as("its successor need not wait")
        .isEqualTo("true");
  }

  @Test
  void aLeaseNoLongerThanACallIsRefused() {
    InboxConfig config = TestConfig.inbox(Map.of("lease", Duration.ofSeconds(5)));
    assertThatThrownBy(() -> fixture.participant(config))
        .isInstanceOf(LeaseInvalid.class)
        .hasMessageContaining("make the lease longer");
  }

  private void awaitReplies(String... types) {
    await().untilAsserted(() -> assertThat(saga.replies()).containsExactly(types));
  }

  private void awaitRecovered(Participant participant, String... types) {
    await()
        .untilAsserted(
            () -> {
              participant.recover();
              assertThat(saga.replies()).containsExactly(types);
            });
  }
}
