package io.onceflow.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.message.Command;
import io.onceflow.message.Done;
import io.onceflow.message.Refused;
import io.onceflow.message.Undoes;
import io.onceflow.participant.Answer;
import io.onceflow.participant.CallKey;
import io.onceflow.participant.CallsOut;
import io.onceflow.participant.Handles;
import io.onceflow.participant.Handles.FallbackReply;
import io.onceflow.participant.internal.HandlerInvoker;
import io.onceflow.participant.internal.Invocation;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Methods of beans handle commands; the inbox does the rest. */
@Timeout(60)
class HandlerMethodsTest {

  private final Fixture fixture = new Fixture();
  private final World world = fixture.world;
  private final Bank bank = new Bank(world);
  private final Saga saga = new Saga();
  private final Participant participant = participant(bank, new Vault());

  @Command("bank.take")
  record TakeMoney(UUID subject, long amount) {}

  @Done(TakeMoney.class)
  record MoneyTaken(UUID subject, String reference) {}

  @Refused(TakeMoney.class)
  record MoneyDeclined(UUID subject) {}

  @Command("bank.give-back")
  @Undoes(TakeMoney.class)
  record GiveMoneyBack(UUID subject) {}

  @Command("vault.lock-away")
  record LockAway(UUID subject, long amount) {}

  @Command("vault.take-out")
  @Undoes(LockAway.class)
  record TakeOut(UUID subject) {}

  @Done(TakeOut.class)
  record TakenOut(UUID subject, long amount) {}

  /** Calls out, and has no rows. */
  static final class Bank {

    private final World world;
    private final List<String> undone = new CopyOnWriteArrayList<>();

    Bank(World world) {
      this.world = world;
    }

    @Handles
    @CallsOut(deadline = "2s", attempts = 2)
    Answer take(TakeMoney command, CallKey key) throws Exception {
      return command.amount() == Handlers.DECLINED
          ? Answer.refused(new MoneyDeclined(command.subject()))
          : Answer.done(new MoneyTaken(command.subject(), world.call("taken", key.step())));
    }

    @Handles
    @CallsOut
    void giveBack(GiveMoneyBack command, CallKey key, CallKey taken, Optional<MoneyTaken> result)
        throws Exception {
      world.call("given-back", key.step());
      undone.add(taken.step().step() + " " + result.map(MoneyTaken::reference).orElse("unknown"));
    }
  }

  /** Decides on rows of its own, and says itself what it answers unhandled. */
  static final class Vault {

    @Handles
    Answer lockAway(LockAway command, Optional<Charge> there) {
      return there.isPresent()
          ? Answer.refused()
          : Answer.done()
              .save(new Charge(command.subject(), command.amount(), Charge.Status.CHARGED, "v"));
    }

    @Handles
    Answer takeOut(TakeOut command, Optional<Charge> there) {
      Charge charge = there.orElseThrow();
      return Answer.done(new TakenOut(command.subject(), charge.amount())).save(charge.refunded());
    }

    @FallbackReply
    TakenOut nothing(TakeOut command) {
      return new TakenOut(command.subject(), 0);
    }
  }

  private Participant participant(Object... beans) {
    return fixture.participant(TestConfig.inbox(), Saga.PAYMENTS.source(), beans);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void callOutOnceAndAnswerARepeatFromTheStoredOutcome() throws Exception {
    participant.settle(List.of(saga.take()));
    awaitReplies("MoneyTaken");
    participant.settle(List.of(saga.take()));
    awaitReplies("MoneyTaken", "MoneyTaken");
    assertThat(world.callsUnder(take())).isEqualTo(1);
    assertThat(saga.payloadsOf("MoneyTaken")).hasSize(2).allMatch(it -> it.contains("taken-"));
  }

  @Test
  void giveACompensationBothKeysAndWhatItsActionAnswered() throws Exception {
    participant.settle(List.of(saga.take()));
    awaitReplies("MoneyTaken");
    participant.settle(List.of(saga.giveBack()));
    awaitReplies("MoneyTaken", "StepDone");
    assertThat(world.callsUnder(giveBack())).isEqualTo(1);
    assertThat(bank.undone).singleElement().asString().startsWith("take-money taken-");
    assertThat(saga.payloadsOf("StepDone")).containsExactly("{}");
    assertThat(saga.identityOfReplies()).containsExactly("- - done", "- - done");
  }

  @Test
  void leaveATombstoneForACompensationThatComesFirst() throws Exception {
    participant.settle(List.of(saga.giveBack()));
    participant.settle(List.of(saga.take()));
    assertThat(saga.replies()).containsExactly("StepDone", "StepCancelled");
    assertThat(saga.identityOfReplies()).containsExactly("- - done", "- - cancelled");
    assertThat(saga.statusOf(take())).isEqualTo("TOMBSTONE");
    assertThat(world.hasEffectUnder(take())).isFalse();
    assertThat(bank.undone).isEmpty();
  }

  @Test
  void callNothingForACompensationWhoseActionWasRefused() throws Exception {
    participant.settle(List.of(saga.take(Handlers.DECLINED)));
    awaitReplies("MoneyDeclined");
    participant.settle(List.of(saga.giveBack()));
    awaitReplies("MoneyDeclined", "StepDone");
    assertThat(saga.identityOfReplies()).containsExactly("- - refused", "- - done");
    assertThat(bank.undone).isEmpty();
  }

  @Test
  void letACompensationWaitForTheActionThatRuns() throws Exception {
    CountDownLatch letGo = new CountDownLatch(1);
    world.behave(take(), World.until(letGo));
    participant.settle(List.of(saga.take()));
    participant.settle(List.of(saga.giveBack()));
    assertThat(saga.statusOf(giveBack())).isEqualTo("STARTED");
    assertThat(bank.undone).isEmpty();
    letGo.countDown();
    await()
        .untilAsserted(
            () -> {
              participant.recover();
              assertThat(saga.replies()).containsExactly("MoneyTaken", "StepDone");
            });
  }

  @Test
  void callACompensationWithoutAResultWhereTheActionIsInDoubt() throws Exception {
    world.behave(take(), World.failing(), World.failing(), World.failing());
    participant.settle(List.of(saga.takeBefore(Instant.now().plusSeconds(60))));
    await().until(() -> world.callsUnder(take()) == 1);
    String first = saga.inbox("fencing_token", take());
    // An attempt whose lease is ended before its call is made counts, so each has its call first.
    await()
        .untilAsserted(
            () -> {
              saga.endLease(take());
              participant.recover();
              assertThat(saga.inbox("fencing_token", take())).isNotEqualTo(first);
            });
    await().until(() -> world.callsUnder(take()) == 2);
    await()
        .untilAsserted(
            () -> {
              saga.endLease(take());
              participant.recover();
              assertThat(saga.replies()).containsExactly("StepUnavailable");
            });
    assertThat(world.callsUnder(take())).isEqualTo(2);
    participant.settle(List.of(saga.giveBack()));
    awaitReplies("StepUnavailable", "StepDone");
    assertThat(bank.undone).containsExactly("take-money unknown");
  }

  @Test
  void answerAnExpiredCommandWithoutCallingItsHandler() throws Exception {
    participant.settle(List.of(saga.takeBefore(Instant.now().minusSeconds(1))));
    assertThat(saga.replies()).containsExactly("StepExpired");
    assertThat(saga.identityOfReplies()).containsExactly("- - expired");
    assertThat(world.callsUnder(take())).isZero();
  }

  @Test
  void decideOnTheRowOfTheCommandsId() throws Exception {
    participant.settle(List.of(lockAway(saga)));
    assertThat(saga.charge()).isEqualTo("CHARGED");
    participant.settle(List.of(saga.command("TakeOut", subject())));
    assertThat(saga.replies()).containsExactly("StepDone", "TakenOut");
    assertThat(saga.payloadsOf("TakenOut").getFirst()).contains("\"amount\":7");
    assertThat(saga.charge()).isEqualTo("REFUNDED");
  }

  @Test
  void refuseByTheRowAndLeaveItAsItIs() throws Exception {
    participant.settle(List.of(lockAway(saga)));
    participant.settle(
        List.of(saga.with(Map.of("x-saga-step", "lock-away-again"), lockAway(saga))));
    assertThat(saga.replies()).containsExactly("StepDone", "StepRefused");
    assertThat(saga.charge()).isEqualTo("CHARGED");
  }

  @Test
  void answerUnhandledAsTheBeanSays() throws Exception {
    participant.settle(List.of(saga.command("TakeOut", subject())));
    participant.settle(List.of(lockAway(saga)));
    assertThat(saga.replies()).containsExactly("TakenOut", "StepCancelled");
    assertThat(saga.charge()).isNull();
  }

  @Test
  void areNotCalledForACommandThatViolatesItsConstraints() throws Exception {
    Vault vault = new Vault();
    participant(vault, List.of("amount must be less than 7")).settle(List.of(lockAway(saga)));
    assertThat(saga.parkedFor()).containsExactly("malformed");
    assertThat(saga.replies()).isEmpty();
    assertThat(saga.charge()).isNull();
  }

  /** Seen red: it failed at each attempt with a NullPointerException, and was parked for that. */
  @Test
  void areNotCalledForACommandWithoutTheIdOfItsRow() throws Exception {
    participant.settle(List.of(saga.command("LockAway", "{\"subject\":null,\"amount\":7}")));
    assertThat(saga.parkedFor()).containsExactly("malformed");
    assertThat(saga.replies()).isEmpty();
  }

  /** Has forgotten its answer. */
  static final class Forgetful {

    @Handles
    @Nullable Answer lockAway(LockAway command) {
      return null;
    }
  }

  /** Seen red: it was answered as done. */
  @Test
  void areNotTakenToBeDoneWhenTheyReturnNull() throws Exception {
    Participant forgetful = participant(new Forgetful());
    assertThatIllegalStateException()
        .isThrownBy(() -> forgetful.settle(List.of(lockAway(saga))))
        .withMessageContaining("returned null; return an Answer or a reply");
    assertThat(saga.replies()).isEmpty();
  }

  /** An older version has taken the command; a newer one may have more constraints. */
  @Test
  void areNotAskedAgainWhetherARepeatedCommandIsValid() throws Exception {
    Vault vault = new Vault();
    participant(vault).settle(List.of(lockAway(saga)));
    participant(vault, List.of("amount must be less than 7")).settle(List.of(lockAway(saga)));
    assertThat(saga.replies()).containsExactly("StepDone", "StepDone");
    assertThat(saga.parkedFor()).isEmpty();
  }

  private Participant participant(Object bean, List<String> violations) {
    HandlerInvoker invoker =
        new HandlerInvoker() {
          @Override
          public @Nullable Object call(Method method, Object of, @Nullable Object... arguments)
              throws Exception {
            return Invocation.reflectively(method, of, arguments);
          }

          @Override
          public List<String> violations(Record command) {
            return violations;
          }
        };
    return fixture.participant(
        TestConfig.inbox(),
        Saga.PAYMENTS.source(),
        Fixture.handlers(new ChargeRows(), bean).through(reflectively -> invoker));
  }

  private Delivery lockAway(Saga of) {
    return of.command("LockAway", "{\"subject\":\"%s\",\"amount\":7}".formatted(of.subject));
  }

  private String subject() {
    return "{\"subject\":\"%s\"}".formatted(saga.subject);
  }

  private String take() {
    return saga.root + ":take-money";
  }

  private String giveBack() {
    return saga.root + ":give-money-back";
  }

  private void awaitReplies(String... types) {
    await().untilAsserted(() -> assertThat(saga.replies()).containsExactly(types));
  }
}
