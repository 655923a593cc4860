package io.onceflow.inbox;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.function.LongSupplier;

/**
 * What the transactions of a participant work with.
 *
 * @param participant its name, the end of the routing keys of its replies
 * @param ticker nanoseconds of a clock that never goes backward, such as {@link System#nanoTime()}
 * @param <S> the business row
 */
record ParticipantDependencies<S>(
    String participant,
    InboxStore inbox,
    Rows<S> rows,
    CommandReader<S> reader,
    Deciding<S> deciding,
    ParkingPlace parking,
    InboxConfig config,
    Backoff backoff,
    ExpiryPolicy givingUp,
    ObjectMapper json,
    ParticipantMetrics metrics,
    LongSupplier ticker) {

  static <S> ParticipantDependencies<S> of(
      Participant.Ground ground, Rows<S> rows, CommandReader<S> reader) {
    return of(
        ground,
        rows,
        reader,
        new InboxTable(),
        new Backoff(ground.config().callOut()),
        System::nanoTime);
  }

  static <S> ParticipantDependencies<S> of(
      Participant.Ground ground,
      Rows<S> rows,
      CommandReader<S> reader,
      InboxStore inbox,
      Backoff backoff,
      LongSupplier ticker) {
    return new ParticipantDependencies<>(
        ground.name(),
        inbox,
        rows,
        reader,
        new Deciding<>(inbox, rows, ground.json(), ground.clock()),
        ground.parking(),
        ground.config(),
        backoff,
        new ExpiryPolicy(ground.config().callOut().attempts(), ground.clock()),
        ground.json(),
        new ParticipantMetrics(ground.metrics()),
        ticker);
  }

  /** The same, for messages that are parked already: what cannot be handled is thrown. */
  ParticipantDependencies<S> forRedriving() {
    return new ParticipantDependencies<>(
        participant,
        inbox,
        rows,
        reader,
        deciding,
        ParkingPlace.NONE,
        config,
        backoff,
        givingUp,
        json,
        metrics,
        ticker);
  }

  Outcome outcome(Decision.Answer<S> answer) {
    return Outcome.of(answer, json);
  }

  /** A command whose step is this process's from now on, for about as long as the lease. */
  LeasedCommand<S> own(Command<?, S> command, InboxRow row) {
    return new LeasedCommand<>(command, row, ticker.getAsLong() + config.lease().toNanos());
  }
}
