package io.onceflow.test.races;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.outbox.OutboxMessage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One story in a race, and what may be said of it in the end. */
final class StoryRun implements AutoCloseable {

  final Race race;
  final RacedReply.Story story;

  private StoryRun(Race race, RacedReply.Story story) {
    this.race = race;
    this.story = story;
  }

  /** Begins when whatever comes before the message has been told. */
  static StoryRun begin(RacedService service, RacedReply reply) throws Exception {
    Race race = new Race(service);
    StoryRun run = new StoryRun(race, reply.story().apply(race.scope));
    run.story.tellWhatComesBefore(run::tell);
    return run;
  }

  /** Has a message handled. */
  void tell(RacedMessage message) throws Exception {
    race.send(race.survivor(), message);
    race.settle();
  }

  RacedMessage message() {
    return story.message();
  }

  /** What the database says, and what the world was told, each message once. */
  String outcome() throws Exception {
    Map<Object, String> told = new LinkedHashMap<>();
    for (OutboxMessage message : told()) {
      told.put(message.id(), message.type());
    }
    return story.outcome() + "\ntold: " + told.values();
  }

  /** Everything that the saga has told, every publication of it. */
  List<OutboxMessage> told() {
    return race.post.told(message().correlationId());
  }

  /** As if it had come once, with nothing parked. */
  void assertComesTo(String expected) throws Exception {
    assertThat(outcome()).isEqualTo(expected);
    assertThat(race.parked()).as("parked").isEmpty();
    assertThat(race.statusOf(message())).isEqualTo("COMPLETED");
  }

  @Override
  public void close() {
    race.close();
  }
}
