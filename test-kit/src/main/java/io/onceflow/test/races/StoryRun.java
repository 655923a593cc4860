package io.onceflow.test.races;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.outbox.OutboxMessage;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/** One story in a race, and what may be said of it in the end. */
final class StoryRun extends RacedRun {

  final RacedReply.Story story;
  private final Callable<String> withoutTrouble;

  private StoryRun(Race race, RacedReply.Story story, Callable<String> withoutTrouble) {
    super(race);
    this.story = story;
    this.withoutTrouble = withoutTrouble;
  }

  /**
   * Begins when whatever comes before the message has been told.
   *
   * @param withoutTrouble what the story comes to when the message is told once
   */
  static StoryRun begin(RacedService service, RacedReply reply, Callable<String> withoutTrouble)
      throws Exception {
    Race race = new Race(service);
    StoryRun run = new StoryRun(race, reply.story().apply(race.scope), withoutTrouble);
    run.story.tellWhatComesBefore(run::tell);
    return run;
  }

  @Override
  RacedMessage message() {
    return story.message();
  }

  @Override
  RacedMessage messageWithOtherPayload() {
    return message().withPayload(story.otherPayload());
  }

  /** What the database says, and what the world was told, each message once. */
  String outcome() throws Exception {
    Map<Object, String> told = new LinkedHashMap<>();
    for (OutboxMessage message : told()) {
      told.put(message.id(), message.type());
    }
    return story.outcome() + "\ntold: " + told.values();
  }

  @Override
  void assertDone(String... parked) throws Exception {
    assertComesTo(withoutTrouble.call(), parked);
  }

  void assertComesTo(String expected, String... parked) throws Exception {
    assertThat(outcome()).isEqualTo(expected);
    assertThat(race.parked()).as("parked").containsExactly(parked);
    assertThat(race.statusOf(message())).isEqualTo("COMPLETED");
  }
}
