package io.onceflow.test.races;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.test.races.MortalSource.Moment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A process dies over a message that needs no answer, and another one goes on. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
abstract class MessageCrashRaces {

  private final Map<String, String> withoutTrouble = new ConcurrentHashMap<>();

  /** The service. */
  protected abstract RacedService service();

  /** All messages that it consumes, one line for each. */
  protected abstract List<RacedReply> messages();

  final StoryRun begin(RacedReply reply) throws Exception {
    return StoryRun.begin(service(), reply);
  }

  /** What a message comes to without any trouble. */
  final String whenToldOnce(RacedReply reply) throws Exception {
    return withoutTrouble(reply, "once", run -> run.tell(run.message()));
  }

  /**
   * What a story comes to without any trouble.
   *
   * @param name of the way it goes; each is told once
   */
  final String withoutTrouble(RacedReply reply, String name, Way way) throws Exception {
    String key = reply.name() + " " + name;
    String known = withoutTrouble.get(key);
    if (known != null) {
      return known;
    }
    try (StoryRun run = begin(reply)) {
      way.go(run);
      String outcome = run.outcome();
      withoutTrouble.put(key, outcome);
      return outcome;
    }
  }

  /** How a story goes on. */
  interface Way {
    void go(StoryRun run) throws Exception;
  }

  @ParameterizedTest
  @MethodSource("messages")
  void aCrashBeforeTheCommitLeavesNothingHalfDone(RacedReply reply) throws Exception {
    crash(reply, victim -> victim.dieAtCommit(1, Moment.BEFORE_COMMIT));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void aCrashAfterTheCommitTakesNoSecondEffect(RacedReply reply) throws Exception {
    crash(reply, victim -> victim.dieAtCommit(1, Moment.AFTER_COMMIT));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void aCrashAfterTheCommitAndBeforeTheAcknowledgementTakesNoSecondEffect(RacedReply reply)
      throws Exception {
    crash(reply, RacedProcess::dieAtAcknowledgement);
  }

  @ParameterizedTest
  @MethodSource("messages")
  void aCrashAfterTheCommitAndBeforeThePublishLosesNothing(RacedReply reply) throws Exception {
    try (StoryRun run = begin(reply)) {
      RacedProcess victim = run.race.survivor();
      run.race.send(victim, run.message());
      run.race.settleUntold();
      victim.die();
      run.race.settle();
      run.assertComesTo(whenToldOnce(reply));
      assertThat(run.told()).extracting(OutboxMessage::id).doesNotHaveDuplicates();
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  void aCrashAfterThePublishAndBeforeTheDeleteTellsTheSameAgain(RacedReply reply) throws Exception {
    try (StoryRun run = begin(reply)) {
      RacedProcess victim = run.race.survivor();
      List<OutboxMessage> before = run.told();
      run.race.send(victim, run.message());
      run.race.settleUntold();
      run.race.post.relayAndDie(victim);
      run.race.settle();
      run.assertComesTo(whenToldOnce(reply));
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

  private interface Doom {
    void of(RacedProcess process);
  }

  private void crash(RacedReply reply, Doom doom) throws Exception {
    try (StoryRun run = begin(reply)) {
      RacedProcess victim = run.race.process();
      doom.of(victim);
      run.race.send(victim, run.message());
      run.race.until("it dies", victim::isDead);
      run.race.settle();
      run.assertComesTo(whenToldOnce(reply));
    }
  }
}
