package io.onceflow.inbox.internal.participant;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.inbox.internal.InboxStore;
import io.onceflow.inbox.internal.InboxTable;
import io.onceflow.inbox.internal.StepOutcome;
import io.onceflow.inbox.internal.call.CallBackoff;
import io.onceflow.inbox.internal.consumer.Delivery;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the transactions of a participant work with.
 *
 * @param participant its name, the end of the routing keys of its replies
 * @param ticker nanoseconds of a clock that never goes backward, such as {@link System#nanoTime()}
 * @param <S> the business row
 */
public record ParticipantDependencies<S>(
    String participant,
    InboxStore inbox,
    ParticipantRepository<S> rows,
    CommandReader<S> reader,
    CommandDecider<S> decider,
    InboxConfig config,
    CallBackoff backoff,
    ExpiryPolicy expiryPolicy,
    ObjectMapper json,
    ParticipantMetrics metrics,
    LongSupplier ticker) {

  static <S> ParticipantDependencies<S> of(
      Participant.Environment environment, ParticipantRepository<S> rows, CommandReader<S> reader) {
    return of(
        environment,
        rows,
        reader,
        new InboxTable(environment.unitOfWork().database()),
        new CallBackoff(environment.config().callOut()),
        System::nanoTime);
  }

  public static <S> ParticipantDependencies<S> of(
      Participant.Environment environment,
      ParticipantRepository<S> rows,
      CommandReader<S> reader,
      InboxStore inbox,
      CallBackoff backoff,
      LongSupplier ticker) {
    return new ParticipantDependencies<>(
        environment.name(),
        inbox,
        rows,
        reader,
        new CommandDecider<>(
            inbox,
            rows,
            new PendingActions<>(inbox, reader, environment.json()),
            environment.json()),
        environment.config(),
        backoff,
        new ExpiryPolicy(environment.config().callOut().attempts(), environment.clock()),
        environment.json(),
        new ParticipantMetrics(environment.metrics()),
        ticker);
  }

  StepOutcome outcome(Decision.Answer<S> answer) {
    return StepOutcome.of(answer, json);
  }

  /** The row of a step that has to wait here, with its message. */
  InboxRow stored(LeasedCommand<S> step) {
    InboxRow row = step.row();
    return row.envelope() == null ? row.withEnvelope(reader.store(step.command().message())) : row;
  }

  /** A command whose step is this process's from now on, for about as long as the lease. */
  LeasedCommand<S> own(ResolvedCommand<?, S> command, InboxRow row) {
    return own(command, row, null);
  }

  /**
   * The same.
   *
   * @param held its delivery, which is not acknowledged yet; null where the row holds the message
   */
  LeasedCommand<S> own(ResolvedCommand<?, S> command, InboxRow row, @Nullable Delivery held) {
    return new LeasedCommand<>(
        command, row, held, ticker.getAsLong() + config.lease().toNanos(), List.of());
  }
}
