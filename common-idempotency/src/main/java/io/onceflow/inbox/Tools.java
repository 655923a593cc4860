package io.onceflow.inbox;

import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * What the transactions of a participant work with.
 *
 * @param <S> the business row
 */
record Tools<S>(
    InboxTable inbox,
    Rows<S> rows,
    CommandReader<S> reader,
    Deciding<S> deciding,
    Parking parking,
    InboxConfig config,
    Backoff backoff,
    ObjectMapper json,
    ParticipantMetrics metrics) {

  static <S> Tools<S> of(Participant.Ground ground, Rows<S> rows, CommandReader<S> reader) {
    InboxTable inbox = new InboxTable();
    return new Tools<>(
        inbox,
        rows,
        reader,
        new Deciding<>(inbox, rows, ground.clock()),
        ground.parking(),
        ground.config(),
        new Backoff(ground.config().callOut()),
        ground.json(),
        new ParticipantMetrics(ground.metrics()));
  }

  Outcome outcome(Decision.Answer<S> answer) {
    return Outcome.of(answer.reply(), json);
  }

  /** A command whose step is this process's from now on, for about as long as the lease. */
  Owned<S> own(Command<?, S> command, InboxRow row) {
    return new Owned<>(command, row, System.nanoTime() + config.lease().toNanos());
  }
}
