package io.onceflow.test.races;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.test.races.Gates.Gate;
import io.onceflow.test.races.Gates.Side;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same command more than once, and other commands under its key. */
abstract class RepeatRaces extends RacedCommands {

  private static final int PROCESSES = 4;
  private static final int EACH = 2;

  @ParameterizedTest
  @MethodSource("commands")
  void duplicatesAtTheSameMomentTakeEffectOnce(RacedCommand command) throws Exception {
    try (Run run = run(command)) {
      RacedMessage message = run.message();
      sendAtOnce(run, Collections.nCopies(PROCESSES * EACH, message));
      run.race.settle();
      run.assertDone();
      run.assertReplies(command, 1, PROCESSES * EACH);
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void duplicatesInOneBatchTakeEffectOnce(RacedCommand command) throws Exception {
    try (Run run = run(command)) {
      RacedMessage message = run.message();
      run.race.sendTogether(run.race.survivor(), List.of(message, message, message.again()));
      run.race.settle();
      run.assertDone();
      run.assertReplies(command, 1, 3);
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aRedeliveryIsGivenTheSameAnswerAgain(RacedCommand command) throws Exception {
    try (Run run = run(command)) {
      RacedProcess one = run.race.process();
      RacedProcess other = run.race.process();
      RacedMessage message = run.message();
      for (RacedMessage each : List.of(message, message, message.again())) {
        run.race.send(run.replies(command).isEmpty() ? one : other, each);
        run.race.settle();
      }
      run.assertDone();
      run.assertReplies(command, 3, 3);
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aRedeliveryWhileItIsCarriedOutIsLeftToWhoeverDoes(RacedCommand command) throws Exception {
    try (Run run = run(command)) {
      RacedProcess owner = run.race.process();
      Gate gate = owner.gates().hold(command.type(), Side.AFTER);
      run.race.send(owner, run.message());
      awaitCall(run, gate);
      RacedProcess other = run.race.process();
      run.race.sendTogether(other, List.of(run.message(), run.message()));
      assertThat(run.race.statusOf(run.message())).isEqualTo("STARTED");
      gate.open();
      run.race.settle();
      run.assertDone();
      run.assertReplies(command, 1, 1);
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void anOwnerThatWasOnlySlowWritesNothing(RacedCommand command) throws Exception {
    try (Run run = run(command)) {
      RacedProcess slow = run.race.process();
      Gate held = slow.gates().hold(command.type(), Side.AFTER);
      run.race.send(slow, run.message());
      awaitCall(run, held);
      RacedProcess successor = run.race.process();
      Gate next = successor.gates().hold(command.type(), Side.BEFORE);
      run.race.endLeases();
      assertThat(successor.recover()).as("taken over").isPositive();
      run.race.until("the successor calls", next::isReached);
      int commits = slow.commits();
      held.open();
      run.race.until("the slow one has written its result", () -> slow.commits() > commits);
      assertThat(run.race.statusOf(run.message()))
          .as("its lease was over: its result is not written")
          .isEqualTo("STARTED");
      next.open();
      run.race.settle();
      run.assertDone();
      run.assertReplies(command, 1, 1);
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void anotherPayloadUnderTheSameKeyIsParkedAndTheFirstStands(RacedCommand command)
      throws Exception {
    try (Run run = run(command)) {
      UUID somebodyElse = UUID.randomUUID();
      run.race.send(run.race.survivor(), run.message());
      run.race.settle();
      run.race.send(run.race.process(), run.messageAbout(somebodyElse));
      run.race.settle();
      assertThat(run.race.parked()).containsExactly("fingerprint-mismatch");
      assertThat(run.ledgerOf(somebodyElse)).isEmpty();
      run.assertLedger(command.allEffects());
      run.assertAnswered(command, command.answer());
      run.assertReplies(command, 1, 1);
    }
  }

  @ParameterizedTest
  @MethodSource("first")
  void ofTwoPayloadsAtTheSameMomentOneStandsAndOneIsParked(RacedCommand command) throws Exception {
    try (Run run = run(command)) {
      UUID somebodyElse = UUID.randomUUID();
      sendAtOnce(run, List.of(run.message(), run.messageAbout(somebodyElse)));
      run.race.settle();
      assertThat(run.race.parked()).containsExactly("fingerprint-mismatch");
      List<String> both =
          Stream.concat(run.ledger().stream(), run.ledgerOf(somebodyElse).stream()).toList();
      assertThat(both).containsExactlyElementsOf(command.effects());
      run.assertReplies(command, 1, 1);
    }
  }

  /** Each to a process of its own, as far as those go, all at the same moment. */
  private static void sendAtOnce(Run run, List<RacedMessage> messages) throws Exception {
    List<RacedProcess> processes =
        Stream.generate(run.race::process).limit(Math.min(PROCESSES, messages.size())).toList();
    CyclicBarrier atOnce = new CyclicBarrier(messages.size());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> sent = new ArrayList<>();
      for (int i = 0; i < messages.size(); i++) {
        RacedProcess to = processes.get(i % processes.size());
        RacedMessage message = messages.get(i);
        sent.add(
            threads.submit(
                () -> {
                  atOnce.await();
                  run.race.send(to, message);
                  return message;
                }));
      }
      for (Future<?> one : sent) {
        one.get();
      }
    }
  }
}
