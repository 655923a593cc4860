package io.onceflow.test.races;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.outbox.internal.MessageHeaders;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tries every reply and event that a service consumes with what a broker, a database and a crash
 * can do to it, on a real PostgreSQL. What a message should come to is found out by telling its
 * story once without any trouble: with trouble it must come to the same. A service's test extends
 * this and says what its messages are, one line for each; see {@link RacedReply}.
 */
public abstract class MessageRaces extends DeliveryRaces<RacedReply> {

  private static final String LONG_AGO = "2020-01-01T00:00:00Z";

  private final Map<String, String> withoutTrouble = new ConcurrentHashMap<>();

  /** All messages that the service consumes, one line for each. */
  protected abstract List<RacedReply> messages();

  @Override
  final List<RacedReply> raced() {
    return messages();
  }

  @Override
  final StoryRun run(RacedReply reply) throws Exception {
    return StoryRun.begin(
        service(), reply, () -> withoutTrouble(reply, "once", run -> run.tell(run.message())));
  }

  @ParameterizedTest
  @MethodSource("raced")
  void aRedeliveryChangesNothing(RacedReply reply) throws Exception {
    try (StoryRun run = run(reply)) {
      for (RacedMessage each : List.of(run.message(), run.message(), run.message().again())) {
        run.tell(each);
      }
      run.assertDone();
    }
  }

  @ParameterizedTest
  @MethodSource("raced")
  void ofTwoPayloadsAtTheSameMomentOneIsParked(RacedReply reply) throws Exception {
    try (StoryRun run = run(reply)) {
      sendAtOnce(run, List.of(run.message(), run.messageWithOtherPayload()));
      run.race.settle();
      assertThat(run.race.parked()).containsExactly("fingerprint-mismatch");
      assertThat(run.race.statusOf(run.message())).isEqualTo("COMPLETED");
    }
  }

  @ParameterizedTest
  @MethodSource("raced")
  void aMessageIsHandledHoweverLateItIs(RacedReply reply) throws Exception {
    try (StoryRun run = run(reply)) {
      run.tell(run.message().with(MessageHeaders.EXPIRES_AT, LONG_AGO));
      run.assertDone();
    }
  }

  @ParameterizedTest
  @MethodSource("raced")
  void repeatsInWhateverOrderChangeNothing(RacedReply reply) throws Exception {
    for (List<Boolean> order : orders()) {
      try (StoryRun run = run(reply)) {
        tellInOrder(run, order);
        run.assertComesTo(whenToldInOrder(reply, new LinkedHashSet<>(order)));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("raced")
  void aRequestBeforeTheMessageAndItsRepeatMakesNoDifference(RacedReply reply) throws Exception {
    try (StoryRun run = run(reply)) {
      run.story.interfere();
      run.tell(run.message());
      run.tell(run.message());
      run.assertComesTo(whenRequestedBefore(reply));
    }
  }

  @ParameterizedTest
  @MethodSource("raced")
  void aRequestBetweenTheMessageAndItsRepeatMakesNoDifference(RacedReply reply) throws Exception {
    try (StoryRun run = run(reply)) {
      run.tell(run.message());
      run.story.interfere();
      run.tell(run.message());
      run.assertComesTo(whenRequestedAfterwards(reply));
    }
  }

  @ParameterizedTest
  @MethodSource("raced")
  void aRequestAtTheSameMomentComesBeforeOrAfter(RacedReply reply) throws Exception {
    try (StoryRun run = run(reply)) {
      RacedProcess process = run.race.process();
      atOnce(
          List.of(
              () -> run.race.send(process, run.message()),
              () -> {
                run.story.interfere();
                return run;
              }));
      run.race.settle();
      assertThat(run.outcome()).isIn(whenRequestedBefore(reply), whenRequestedAfterwards(reply));
    }
  }

  private String whenRequestedBefore(RacedReply reply) throws Exception {
    return withoutTrouble(
        reply,
        "with a request before",
        run -> {
          run.story.interfere();
          run.tell(run.message());
        });
  }

  private String whenRequestedAfterwards(RacedReply reply) throws Exception {
    return withoutTrouble(
        reply,
        "with a request afterwards",
        run -> {
          run.tell(run.message());
          run.story.interfere();
          run.race.settle();
        });
  }

  private String whenToldInOrder(RacedReply reply, Set<Boolean> order) throws Exception {
    return withoutTrouble(
        reply, "with another, in the order " + order, run -> tellInOrder(run, order));
  }

  private static void tellInOrder(StoryRun run, Iterable<Boolean> order) throws Exception {
    for (boolean other : order) {
      run.tell(other ? run.story.other() : run.message());
    }
  }

  /** How a story goes on. */
  private interface Way {
    void go(StoryRun run) throws Exception;
  }

  /**
   * What a story comes to without any trouble.
   *
   * @param name of the way it goes; each is told once
   */
  private String withoutTrouble(RacedReply reply, String name, Way way) throws Exception {
    String key = reply.name() + " " + name;
    String known = withoutTrouble.get(key);
    if (known != null) {
      return known;
    }
    try (StoryRun run = run(reply)) {
      way.go(run);
      String outcome = run.outcome();
      withoutTrouble.put(key, outcome);
      return outcome;
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
