package io.onceflow.inbox.internal.participant;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.inbox.internal.InboxStore;
import io.onceflow.inbox.internal.InboxTable;
import io.onceflow.inbox.internal.StepOutcome;
import io.onceflow.inbox.internal.call.CallBackoff;
import io.onceflow.inbox.internal.call.CallLimits;
import io.onceflow.participant.Answer;
import io.onceflow.participant.internal.CompositeRepository;
import io.onceflow.participant.internal.HandlerMethods;
import java.util.function.LongSupplier;

/**
 * What the transactions of a participant work with.
 *
 * @param participant its name, the end of the routing keys of its replies
 * @param ticker nanoseconds of a clock that never goes backward, such as {@link System#nanoTime()}
 */
public record ParticipantDependencies(
    String participant,
    InboxStore inbox,
    CompositeRepository rows,
    CommandReader reader,
    CommandDecider decider,
    InboxConfig config,
    CallBackoff backoff,
    CallLimits limits,
    ExpiryPolicy expiryPolicy,
    ObjectMapper json,
    ParticipantMetrics metrics,
    LongSupplier ticker) {

  static ParticipantDependencies of(Participant.Environment environment, HandlerMethods handlers) {
    return of(
        environment,
        handlers,
        new InboxTable(environment.unitOfWork().database(), environment.timesSetBack()),
        new CallBackoff(environment.config().callOut()),
        System::nanoTime);
  }

  public static ParticipantDependencies of(
      Participant.Environment environment,
      HandlerMethods handlers,
      InboxStore inbox,
      CallBackoff backoff,
      LongSupplier ticker) {
    CommandReader reader = new CommandReader(handlers, environment.json());
    return new ParticipantDependencies(
        environment.name(),
        inbox,
        handlers.rows(),
        reader,
        new CommandDecider(
            inbox, new PendingActions(inbox, reader, environment.json()), environment.json()),
        environment.config(),
        backoff,
        new CallLimits(handlers.all()),
        new ExpiryPolicy(environment.config().callOut().attempts(), environment.clock()),
        environment.json(),
        new ParticipantMetrics(environment.metrics()),
        ticker);
  }

  StepOutcome outcome(Answer.Reply reply) {
    return StepOutcome.of(reply, json);
  }

  /** The row of a step that has to wait here, with its message. */
  InboxRow stored(LeasedCommand step) {
    InboxRow row = step.row();
    return row.envelope() == null ? row.withEnvelope(reader.store(step.command().message())) : row;
  }

  /** A command whose step is this process's from now on, for about as long as the lease. */
  LeasedCommand own(ResolvedCommand command, InboxRow row) {
    return new LeasedCommand(command, row, ticker.getAsLong() + config.lease().toNanos());
  }
}
