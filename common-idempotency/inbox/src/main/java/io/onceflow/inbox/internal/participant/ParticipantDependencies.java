package io.onceflow.inbox.internal.participant;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.inbox.internal.InboxStore;
import io.onceflow.inbox.internal.InboxTable;
import io.onceflow.inbox.internal.StepOutcome;
import io.onceflow.inbox.internal.call.CallBackoff;
import java.util.List;
import java.util.function.LongSupplier;

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

  /** A command whose step is this process's from now on, for about as long as the lease. */
  LeasedCommand<S> own(ResolvedCommand<?, S> command, InboxRow row) {
    return new LeasedCommand<>(
        command, row, ticker.getAsLong() + config.lease().toNanos(), List.of());
  }
}
