package io.onceflow.test.races;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.test.races.MortalSource.Moment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What holds for every message, a command or another: repeats take no second effect, and a process
 * that dies over it is made good by another one.
 *
 * @param <M> what describes a message
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
abstract class DeliveryRaces<M> {

  private static final int PROCESSES = 4;

  /** The service. */
  protected abstract RacedService service();

  /** All that is raced. */
  abstract List<M> raced();

  /** Begins when whatever comes before the message has been handled. */
  abstract RacedRun run(M described) throws Exception;

  @ParameterizedTest
  @MethodSource("raced")
  void duplicatesAtTheSameMomentTakeEffectOnce(M described) throws Exception {
    try (RacedRun run = run(described)) {
      RacedMessage message = run.message();
      sendAtOnce(
          run,
          Stream.concat(
                  Stream.generate(() -> message).limit(PROCESSES),
                  Stream.generate(message::again).limit(PROCESSES))
              .toList());
      run.race.settle();
      run.assertDone();
    }
  }

  @ParameterizedTest
  @MethodSource("raced")
  void duplicatesInOneBatchTakeEffectOnce(M described) throws Exception {
    try (RacedRun run = run(described)) {
      RacedMessage message = run.message();
      run.race.sendTogether(run.race.survivor(), List.of(message, message, message.again()));
      run.race.settle();
      run.assertDone();
    }
  }

  @ParameterizedTest
  @MethodSource("raced")
  void anotherPayloadUnderTheSameKeyIsParkedAndTheFirstStands(M described) throws Exception {
    try (RacedRun run = run(described)) {
      run.tell(run.message());
      run.race.send(run.race.process(), run.messageWithOtherPayload());
      run.race.settle();
      run.assertDone("fingerprint-mismatch");
    }
  }

  @ParameterizedTest
  @MethodSource("raced")
  void aCrashBeforeACommitLeavesNothingHalfDone(M described) throws Exception {
    crashAtEveryCommit(described, Moment.BEFORE_COMMIT);
  }

  @ParameterizedTest
  @MethodSource("raced")
  void aCrashAfterACommitLosesNothing(M described) throws Exception {
    crashAtEveryCommit(described, Moment.AFTER_COMMIT);
  }

  @ParameterizedTest
  @MethodSource("raced")
  void aCrashAfterTheCommitAndBeforeTheAcknowledgementTakesNoSecondEffect(M described)
      throws Exception {
    try (RacedRun run = run(described)) {
      RacedProcess victim = run.race.process();
      victim.dieAtAcknowledgement();
      run.race.send(victim, run.message());
      run.race.until("it dies", victim::isDead);
      run.race.settle();
      run.assertDone();
    }
  }

  @ParameterizedTest
  @MethodSource("raced")
  void aCrashAfterTheCommitAndBeforeThePublishLosesNothing(M described) throws Exception {
    try (RacedRun run = run(described)) {
      RacedProcess victim = run.race.survivor();
      List<OutboxMessage> before = run.told();
      run.race.send(victim, run.message());
      run.race.settleUntold();
      assertThat(run.told()).as("published so far").isEqualTo(before);
      victim.die();
      run.race.settle();
      run.assertDone();
      assertThat(run.told()).extracting(OutboxMessage::id).doesNotHaveDuplicates();
    }
  }

  @ParameterizedTest
  @MethodSource("raced")
  void aCrashAfterThePublishAndBeforeTheDeleteTellsTheSameAgain(M described) throws Exception {
    try (RacedRun run = run(described)) {
      RacedProcess victim = run.race.survivor();
      List<OutboxMessage> before = run.told();
      run.race.send(victim, run.message());
      run.race.settleUntold();
      run.race.post.relayAndDie(victim);
      run.race.settle();
      run.assertDone();
      Map<UUID, OutboxMessage> first = new HashMap<>();
      for (OutboxMessage message : run.told()) {
        OutboxMessage known = first.putIfAbsent(message.id(), message);
        assertThat(known).isIn(null, message);
      }
      assertThat(run.told().size() - before.size())
          .as("publications since, each twice")
          .isEqualTo(2 * (first.size() - before.size()));
    }
  }

  /** At its first commit, at its second one, until it has got through. */
  private void crashAtEveryCommit(M described, Moment moment) throws Exception {
    int crashes = 0;
    for (boolean died = true; died; crashes++) {
      try (RacedRun run = run(described)) {
        run.race.survivor(); // Looks after what is left, so that the victim's commits are its own.
        RacedProcess victim = run.race.process();
        victim.dieAtCommit(crashes + 1, moment);
        run.race.send(victim, run.message());
        run.race.settle();
        run.assertDone();
        died = victim.isDead();
      }
    }
    assertThat(crashes).as("runs, the last of them without a crash").isGreaterThan(1);
  }

  /** Each to a process of its own, as far as those go, all at the same moment. */
  static void sendAtOnce(RacedRun run, List<RacedMessage> messages) throws Exception {
    List<RacedProcess> processes =
        Stream.generate(run.race::process).limit(Math.min(PROCESSES, messages.size())).toList();
    List<Callable<?>> sending = new ArrayList<>();
    for (int i = 0; i < messages.size(); i++) {
      RacedProcess to = processes.get(i % processes.size());
      RacedMessage message = messages.get(i);
      sending.add(() -> run.race.send(to, message));
    }
    atOnce(sending);
  }

  static void atOnce(List<Callable<?>> all) throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(all.size());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> begun = new ArrayList<>();
      for (Callable<?> one : all) {
        begun.add(
            threads.submit(
                () -> {
                  barrier.await();
                  return one.call();
                }));
      }
      for (Future<?> one : begun) {
        one.get();
      }
    }
  }
}
