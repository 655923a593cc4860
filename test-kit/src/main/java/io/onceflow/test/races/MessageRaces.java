package io.onceflow.test.races;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.outbox.internal.MessageHeaders;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tries every reply and event that a service consumes with what a broker, a database and a crash
 * can do to it, on a real PostgreSQL. What a message should come to is found out by telling its
 * story once without any trouble: with trouble it must come to the same. A service's test extends
 * this and says what its messages are, one line for each; see {@link RacedReply}.
 */
public abstract class MessageRaces extends MessageCrashRaces {

  private static final String LONG_AGO = "2020-01-01T00:00:00Z";
  private static final int PROCESSES = 4;

  @ParameterizedTest
  @MethodSource("messages")
  void duplicatesAtTheSameMomentTakeEffectOnce(RacedReply reply) throws Exception {
    try (StoryRun run = begin(reply)) {
      RacedMessage message = run.message();
      List<Callable<?>> sending = new ArrayList<>();
      for (int i = 0; i < PROCESSES; i++) {
        RacedProcess process = run.race.process();
        sending.add(() -> send(run, process, message));
        sending.add(() -> send(run, process, message.again()));
      }
      atOnce(sending);
      run.race.settle();
      run.assertComesTo(whenToldOnce(reply));
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  void duplicatesInOneBatchTakeEffectOnce(RacedReply reply) throws Exception {
    try (StoryRun run = begin(reply)) {
      RacedMessage message = run.message();
      run.race.sendTogether(run.race.survivor(), List.of(message, message, message.again()));
      run.race.settle();
      run.assertComesTo(whenToldOnce(reply));
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  void aRedeliveryChangesNothing(RacedReply reply) throws Exception {
    try (StoryRun run = begin(reply)) {
      for (RacedMessage each : List.of(run.message(), run.message(), run.message().again())) {
        run.tell(each);
      }
      run.assertComesTo(whenToldOnce(reply));
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  void anotherPayloadUnderTheSameKeyIsParkedAndTheFirstStands(RacedReply reply) throws Exception {
    try (StoryRun run = begin(reply)) {
      run.tell(run.message());
      run.tell(run.message().withPayload(run.story.otherPayload()));
      assertThat(run.outcome()).isEqualTo(whenToldOnce(reply));
      assertThat(run.race.parked()).containsExactly("fingerprint-mismatch");
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  void ofTwoPayloadsAtTheSameMomentOneIsParked(RacedReply reply) throws Exception {
    try (StoryRun run = begin(reply)) {
      RacedMessage message = run.message();
      RacedProcess one = run.race.process();
      RacedProcess two = run.race.process();
      atOnce(
          List.of(
              () -> send(run, one, message),
              () -> send(run, two, message.withPayload(run.story.otherPayload()))));
      run.race.settle();
      assertThat(run.race.parked()).containsExactly("fingerprint-mismatch");
      assertThat(run.race.statusOf(message)).isEqualTo("COMPLETED");
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  void aMessageIsHandledHoweverLateItIs(RacedReply reply) throws Exception {
    try (StoryRun run = begin(reply)) {
      run.tell(run.message().with(MessageHeaders.EXPIRES_AT, LONG_AGO));
      run.assertComesTo(whenToldOnce(reply));
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  void repeatsInWhateverOrderChangeNothing(RacedReply reply) throws Exception {
    for (List<Boolean> order : orders()) {
      try (StoryRun run = begin(reply)) {
        for (boolean other : order) {
          run.tell(other ? run.story.other() : run.message());
        }
        run.assertComesTo(whenToldInOrder(reply, new LinkedHashSet<>(order)));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  void itMakesNoDifferenceThatSomebodyInterferedBeforeAndItIsRepeated(RacedReply reply)
      throws Exception {
    try (StoryRun run = begin(reply)) {
      run.story.somebodyInterferes();
      run.tell(run.message());
      run.tell(run.message());
      run.assertComesTo(whenSomebodyInterferes(reply, true));
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  void itMakesNoDifferenceThatSomebodyInterferesAfterwardsAndItIsRepeated(RacedReply reply)
      throws Exception {
    try (StoryRun run = begin(reply)) {
      run.tell(run.message());
      run.story.somebodyInterferes();
      run.tell(run.message());
      run.assertComesTo(whenSomebodyInterferes(reply, false));
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  void whoeverInterferesAtTheSameMomentComesBeforeOrAfter(RacedReply reply) throws Exception {
    try (StoryRun run = begin(reply)) {
      RacedProcess process = run.race.process();
      atOnce(
          List.of(
              () -> send(run, process, run.message()),
              () -> {
                run.story.somebodyInterferes();
                return run;
              }));
      run.race.settle();
      assertThat(run.outcome())
          .isIn(whenSomebodyInterferes(reply, true), whenSomebodyInterferes(reply, false));
    }
  }

  private String whenSomebodyInterferes(RacedReply reply, boolean first) throws Exception {
    return first
        ? withoutTrouble(
            reply,
            "interfered with before",
            run -> {
              run.story.somebodyInterferes();
              run.tell(run.message());
            })
        : withoutTrouble(
            reply,
            "interfered with afterwards",
            run -> {
              run.tell(run.message());
              run.story.somebodyInterferes();
              run.race.settle();
            });
  }

  private String whenToldInOrder(RacedReply reply, Set<Boolean> order) throws Exception {
    return withoutTrouble(
        reply,
        "with another, in the order " + order,
        run -> {
          for (boolean other : order) {
            run.tell(other ? run.story.other() : run.message());
          }
        });
  }

  private static RacedMessage send(StoryRun run, RacedProcess to, RacedMessage message) {
    run.race.send(to, message);
    return message;
  }

  private static void atOnce(List<Callable<?>> all) throws Exception {
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

  /** Orders in which a message and another one may come, twice each. */
  private static List<List<Boolean>> orders() {
    return List.of(
        List.of(false, true, false, true),
        List.of(false, true, true, false),
        List.of(true, false, true, false),
        List.of(true, false, false, true));
  }
}
