package io.onceflow.test.races;

import io.onceflow.test.races.RacedScenario.Step;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Tries every reply and event that a service consumes with what a broker, a database and a crash
 * can do to it, on a real PostgreSQL. What a message should come to is found out by telling its
 * story once without any trouble: with trouble it must come to the same. A service's test extends
 * this and says what its messages are, one line for each; see {@link RacedReply}.
 */
public abstract class MessageRaces extends DeliveryRaces<RacedReply> {

  /** What each step means that is not of every message: {@link StoryRun#take}. */
  private static final List<RacedScenario> SCENARIOS =
      RacedScenario.read(
          EVERY_MESSAGE
              + """
              aRedeliveryChangesNothing: tell it it again; done
              ofTwoPayloadsAtTheSameMomentOneIsParked: \
                at-once it changed; settle; parked fingerprint-mismatch; status it COMPLETED
              aMessageIsHandledHoweverLateItIs: tell expired; done
              repeatsInWhateverOrderChangeNothing: \
                tell (it another again another|it another another again); comes-to tell it another
              repeatsInWhateverOrderChangeNothing: \
                tell (another it another again|another it again another); comes-to tell another it
              aRequestBeforeTheMessageAndItsRepeatMakesNoDifference: \
                request; tell it again; comes-to request, tell it
              aRequestBetweenTheMessageAndItsRepeatMakesNoDifference: \
                tell it; request; tell again; comes-to tell it, request, settle
              aRequestAtTheSameMomentComesBeforeOrAfter: \
                at-once it request; settle; \
                comes-to request, tell it or tell it, request, settle
              """);

  private final Map<String, String> withoutTrouble = new ConcurrentHashMap<>();

  /** All messages that the service consumes, one line for each. */
  protected abstract List<RacedReply> messages();

  @Override
  final List<RacedScenario> scenarios() {
    return SCENARIOS;
  }

  @Override
  final Stream<RacedReply> raced(String group) {
    return messages().stream();
  }

  @Override
  final StoryRun run(RacedReply reply, String group) throws Exception {
    return StoryRun.begin(service(), reply, steps -> withoutTrouble(reply, steps));
  }

  /** What a story comes to that goes this way, which is found out once. */
  private String withoutTrouble(RacedReply reply, String steps) throws Exception {
    String key = reply.name() + ": " + steps;
    String known = withoutTrouble.get(key);
    if (known != null) {
      return known;
    }
    try (StoryRun run = run(reply, "all")) {
      for (Step step : RacedScenario.inOrder(steps, ",")) {
        run.take(step);
      }
      String outcome = run.outcome();
      withoutTrouble.put(key, outcome);
      return outcome;
    }
  }
}
