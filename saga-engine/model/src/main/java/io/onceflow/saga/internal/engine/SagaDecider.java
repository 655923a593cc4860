package io.onceflow.saga.internal.engine;

import static java.util.Objects.requireNonNull;

import io.onceflow.saga.Saga.CancelOutcome;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step;
import io.onceflow.saga.internal.Compensation;
import io.onceflow.saga.internal.OutgoingCommand;
import io.onceflow.saga.internal.Reply;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Decides for one saga and its subject: runs the engine and lets its effects take place on the
 * subject. As pure as the definition's own functions are.
 */
public final class SagaDecider<D> {

  private final SagaDefinition<D> definition;
  private final SagaEngine engine;

  public SagaDecider(SagaDefinition<D> definition, ReplyBackoff backoff) {
    this.definition = definition;
    this.engine = new SagaEngine(definition, backoff);
  }

  public SagaDefinition<D> definition() {
    return definition;
  }

  /** Why a reply to this step does not fit the subject; empty when it does. */
  public Optional<String> objection(D subject, Reply reply, String step) {
    return definition.check(subject, reply, step);
  }

  /** Which replies end a step; after any other it is sent again. */
  public enum EndsWith {
    /** A step before the pivot. */
    ANY_REPLY,
    /** The pivot: one that may have taken effect is not undone. */
    DONE_OR_REFUSED,
    /** A compensation, and a step past the pivot. */
    DONE
  }

  /** Which replies end the step or compensation of this name. */
  public EndsWith endOf(String name) {
    if (definition.compensatedBy(name).isPresent()) {
      return EndsWith.DONE;
    }
    Step<D> step = definition.stepNamed(name);
    if (step.isPivot()) {
      return EndsWith.DONE_OR_REFUSED;
    }
    return definition.isPastPivot(step) ? EndsWith.DONE : EndsWith.ANY_REPLY;
  }

  /**
   * What a reply is to a saga in this state. One that says that its step is pending is always new:
   * what it changes depends on the step's status alone.
   *
   * @param step the step or compensation that is answered
   * @param hash by which a copy of the reply is known
   */
  public ReplyStanding standing(SagaState state, Reply reply, String step, String hash) {
    return reply.saysPending()
        ? ReplyStanding.NEW
        : engine.standing(state, SagaEvent.Replied.of(reply, step, hash));
  }

  /** A saga with all its steps ahead of it takes the first of them. */
  public SagaDecision<D> start(SagaState ahead, D subject, Instant now) {
    return decide(ahead, subject, new SagaEvent.Started(), UnaryOperator.identity(), now);
  }

  /**
   * A participant answered. A reply that is not {@link ReplyStanding#NEW} changes nothing.
   *
   * @param step the step or compensation that is answered
   * @param hash by which a copy of the reply is known
   */
  public SagaDecision<D> reply(
      SagaState state, D subject, Reply reply, String step, String hash, Instant now) {
    return decide(
        state,
        subject,
        reply.saysPending()
            ? new SagaEvent.Pending(step, reply.type())
            : SagaEvent.Replied.of(reply, step, hash),
        it -> definition.noted(it, reply, step),
        now);
  }

  /** The saga's timer fell due. */
  public SagaDecision<D> due(SagaState state, D subject, Instant now) {
    return decide(state, subject, new SagaEvent.Due(), UnaryOperator.identity(), now);
  }

  /**
   * Applies a request of a customer or an operator. Callers check an operator's request with {@link
   * #objection} first.
   */
  public SagaDecision<D> request(
      SagaState state, D subject, SagaEvent.Request request, Instant now) {
    return decide(state, subject, request, UnaryOperator.identity(), now);
  }

  /** Why a saga in this state refuses a request; empty when it accepts it. */
  public Optional<String> objection(SagaState state, SagaEvent.Request request) {
    return engine.objection(state, request);
  }

  /** The outcome that a cancellation reports for a saga in this state. */
  public CancelOutcome cancelOutcome(SagaState state) {
    return engine.cancelOutcome(state);
  }

  private SagaDecision<D> decide(
      SagaState state, D subject, SagaEvent event, UnaryOperator<D> noted, Instant now) {
    Transition transition = engine.apply(state, event, now);
    List<SentCommand> commands = new ArrayList<>();
    D changed = subject;
    boolean subjectChanged = false;
    for (Effect effect : transition.effects()) {
      subjectChanged |=
          !(effect instanceof Effect.SendCommand || effect instanceof Effect.SendCompensation);
      switch (effect) {
        case Effect.NoteReply() -> changed = noted.apply(changed);
        case Effect.RunLocal(String step) -> changed = runLocal(step, changed);
        case Effect.SendCommand(String step, int attempt, Instant expiresAt) ->
            commands.add(new SentCommand(step, null, attempt, expiresAt, command(step, changed)));
        case Effect.SendCompensation(String step, String name, int attempt) ->
            commands.add(new SentCommand(name, step, attempt, null, compensation(step, changed)));
        case Effect.Ended(SagaStatus end, String why) -> changed = ended(end, why, changed);
      }
    }
    boolean moved = transition.state().differsFrom(state);
    return new SagaDecision<>(
        transition.state(), changed, subjectChanged, commands, transition.history(), moved);
  }

  /**
   * What makes the command of the step or compensation of this name; empty when the saga has no
   * such step, or it sends no command.
   */
  public Optional<Function<D, OutgoingCommand>> commandOf(String name) {
    for (Step<D> step : definition.steps()) {
      if (step instanceof Step.Send<D> send && send.name().equals(name)) {
        return Optional.of(send.command());
      }
    }
    return definition.compensatedBy(name).flatMap(Step::compensation).map(Compensation::command);
  }

  private D runLocal(String name, D subject) {
    return switch (definition.stepNamed(name)) {
      case Step.Run<D> run -> run.action().apply(subject);
      case Step.Send<D> send -> throw new IllegalStateException(send.name() + " is not local");
    };
  }

  private OutgoingCommand command(String name, D subject) {
    return switch (definition.stepNamed(name)) {
      case Step.Send<D> send -> send.command().apply(subject);
      case Step.Run<D> run -> throw new IllegalStateException(run.name() + " sends nothing");
    };
  }

  private OutgoingCommand compensation(String step, D subject) {
    return definition.stepNamed(step).compensation().orElseThrow().command().apply(subject);
  }

  private D ended(SagaStatus end, @Nullable String why, D subject) {
    return end == SagaStatus.COMPENSATED
        ? definition.compensated(subject, requireNonNull(why))
        : subject;
  }
}
