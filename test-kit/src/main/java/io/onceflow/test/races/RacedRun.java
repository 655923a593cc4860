package io.onceflow.test.races;

import io.onceflow.outbox.OutboxMessage;
import java.util.List;

/** One message of one saga in a race, and what may be said of it in the end. */
abstract class RacedRun implements AutoCloseable {

  final Race race;

  RacedRun(Race race) {
    this.race = race;
  }

  abstract RacedMessage message();

  /** Another payload under the message's key. */
  abstract RacedMessage messageWithOtherPayload();

  /**
   * It has come to what it comes to without any trouble.
   *
   * @param parked the reasons of messages that were parked on the way
   */
  abstract void assertDone(String... parked) throws Exception;

  /** Everything published for the saga, every publication of it. */
  final List<OutboxMessage> told() {
    return race.post.told(message().correlationId());
  }

  /** Has a message handled. */
  final void tell(RacedMessage message) throws Exception {
    race.send(race.survivor(), message);
    race.settle();
  }

  @Override
  public final void close() {
    race.close();
  }
}
