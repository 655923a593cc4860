package io.onceflow.test.races;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.test.races.RacedScenario.Step;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One story in a race. */
final class StoryRun extends RacedRun {

  private final RacedReply.Story story;
  private final WithoutTrouble withoutTrouble;

  /** What the story comes to when it goes these ways, without any trouble. */
  @FunctionalInterface
  interface WithoutTrouble {
    String outcome(String steps) throws Exception;
  }

  private StoryRun(Race race, RacedReply.Story story, WithoutTrouble withoutTrouble) {
    super(race);
    this.story = story;
    this.withoutTrouble = withoutTrouble;
  }

  /** Starts when whatever comes before the message has been told. */
  static StoryRun begin(RacedService service, RacedReply reply, WithoutTrouble withoutTrouble)
      throws Exception {
    Race race = new Race(service);
    StoryRun run = new StoryRun(race, reply.story().apply(race.scope), withoutTrouble);
    run.story.tellWhatComesBefore(
        message -> {
          race.send(race.survivor(), message);
          race.settle();
        });
    return run;
  }

  @Override
  RacedMessage newMessage(String word) {
    return switch (word) {
      case "it" -> story.message();
      case "another" -> story.other();
      case "changed" -> message("it").withPayload(story.otherPayload());
      default -> throw new IllegalArgumentException("no message is called " + word);
    };
  }

  @Override
  void take(Step step) throws Exception {
    switch (step.verb()) {
      case "request" -> request();
      case "comes-to" -> assertComesTo(String.join(" ", step.words()), List.of());
      default -> super.take(step);
    }
  }

  @Override
  void request() throws Exception {
    story.interfere();
  }

  /** What the database says, and what was published, each message once. */
  String outcome() throws Exception {
    Map<Object, String> told = new LinkedHashMap<>();
    for (OutboxMessage message : told()) {
      told.put(message.id(), message.type());
    }
    return story.outcome() + "\ntold: " + told.values();
  }

  @Override
  void assertDone(List<String> parked) throws Exception {
    assertComesTo("tell it", parked);
  }

  /**
   * @param ways without any trouble: it comes to the same as in one of them
   */
  private void assertComesTo(String ways, List<String> parked) throws Exception {
    List<String> expected = new ArrayList<>();
    for (String steps : ways.split(" or ")) {
      expected.add(withoutTrouble.outcome(steps));
    }
    assertThat(outcome()).isIn(expected);
    assertThat(race.parked()).as("parked").isEqualTo(parked);
    assertThat(race.statusOf(message("it"))).isEqualTo("COMPLETED");
  }
}
