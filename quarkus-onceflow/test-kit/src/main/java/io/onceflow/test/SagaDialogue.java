package io.onceflow.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.saga.Saga;
import io.onceflow.saga.Saga.CancelOutcome;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step.OutgoingCommand;
import io.onceflow.saga.internal.Jitter;
import io.onceflow.saga.internal.Reply;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.ReplyBackoff;
import io.onceflow.saga.internal.engine.ReplyStanding;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SagaExecution;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.SentCommand;
import io.onceflow.saga.internal.engine.SignalStanding;
import io.onceflow.saga.internal.engine.StartedChild;
import io.onceflow.saga.internal.engine.StepState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tests a saga's definition without servers: commands are expected, replies are given, and time is
 * virtual.
 *
 * <pre>{@code
 * given(new BookTrip()).started(trip)
 *     .expect(command("reserve-flight"))
 *     .after(ofSeconds(10)).expect(command("reserve-flight").again())
 *     .on(new FlightReserved(trip.id, "SEAT-1"))
 *     .expect(command("charge-card"))
 *     .on(new CardRefused(trip.id, "LIMIT"))
 *     .expect(command("cancel-flight"))
 *     .on("cancel-flight", DONE)
 *     .expectEnd(COMPENSATED);
 * }</pre>
 *
 * <p>What the saga sends, or starts, has to be expected before anything else happens to it, and
 * what it resends has to be the same command as the first time.
 *
 * @param <D> the subject
 */
public final class SagaDialogue<D> {

  /** Any moment will do; a round one is easy to count from. */
  private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

  private final SagaExecution<D> saga;
  private final RecordReplies replies;
  private final Map<String, OutgoingCommand> firstSent = new HashMap<>();
  private final List<@Nullable Record> told = new ArrayList<>();
  private final List<SentCommand> unheard = new ArrayList<>();
  private int taken;
  private int startedChildren;
  private int undoneChildren;
  private Instant now = START;

  private SagaDialogue(SagaDefinition<D> definition, D subject) {
    this.saga =
        new SagaExecution<>(
            definition,
            new ReplyBackoff(Jitter.NONE),
            this::payload,
            SagaState.toBeStarted(new UUID(0, 1), definition, now),
            subject);
    this.replies = new RecordReplies(definition);
    take(new SagaEvent.Started());
  }

  /** Starts the dialogue with a saga of the newest version; timers fall due without jitter. */
  public static <D> Given<D> given(Saga<D> saga) {
    return given(saga.definition());
  }

  /** Starts the dialogue with a saga of this definition; timers fall due without jitter. */
  public static <D> Given<D> given(SagaDefinition<D> definition) {
    return new Given<>(definition);
  }

  /**
   * A definition that is yet to get its subject.
   *
   * @param definition the saga's
   */
  public record Given<D>(SagaDefinition<D> definition) {

    /** The saga is started for this subject. */
    public SagaDialogue<D> started(D subject) {
      return new SagaDialogue<>(definition, subject);
    }
  }

  /**
   * A reply arrives. It has to fit the subject, as the definition's checks say, and the answer that
   * its step has already: one that does not would be parked. A copy changes nothing.
   *
   * @param reply a record with {@code @Done} or {@code @Refused}, which answers the first step
   *     whose command it names; or a {@link Reply}
   */
  public SagaDialogue<D> on(Object reply) {
    return reply instanceof Reply itself
        ? onReply(itself)
        : on(replies.stepAnsweredBy(reply), reply);
  }

  /**
   * A reply to this step arrives, for definitions in which several steps send the same command.
   *
   * @param step its name, or its compensation's
   * @param reply a record with {@code @Done} or {@code @Refused}
   */
  public SagaDialogue<D> on(String step, Object reply) {
    return onReply(replies.of(step, reply));
  }

  /**
   * A refusal arrives whose step was not refused by the participant's business: the result is
   * unknown ({@code UNAVAILABLE}), it was cancelled, or it came too late.
   *
   * @param reply a record with {@code @Refused}
   */
  public SagaDialogue<D> on(Record reply, ReplyOutcome outcome) {
    return onReply(replies.of(replies.stepAnsweredBy(reply), reply, outcome));
  }

  /**
   * An answer of the product's own to this step arrives: the participant's compensation returns
   * nothing ({@code DONE}), the step was cancelled or has expired, or its result is unknown.
   */
  public SagaDialogue<D> on(String step, ReplyOutcome outcome) {
    return onReply(replies.of(step, outcome));
  }

  private SagaDialogue<D> onReply(Reply reply) {
    expectNothingMore();
    assertThat(objection(reply)).as("why %s is parked", reply.type()).isEmpty();
    take(replied(reply));
    return this;
  }

  /**
   * A reply that does not fit the subject, or says something else than the answer that its step
   * has, is parked and moves nothing.
   *
   * @param reply as {@link #on(Object)} takes it
   * @param why what the definition's check says, or that the step has another answer
   */
  public SagaDialogue<D> expectParked(Object reply, String why) {
    return reply instanceof Reply itself
        ? parked(itself, why)
        : expectParked(replies.stepAnsweredBy(reply), reply, why);
  }

  /** The same of a reply to this step, its own or its compensation's. */
  public SagaDialogue<D> expectParked(String step, Object reply, String why) {
    return parked(replies.of(step, reply), why);
  }

  private SagaDialogue<D> parked(Reply reply, String why) {
    assertThat(objection(reply)).as("why %s is parked", reply.type()).hasValue(why);
    return this;
  }

  private Optional<String> objection(Reply reply) {
    return saga.definition()
        .check(saga.subject(), reply.content(), reply.step())
        .or(
            () ->
                Optional.of(saga.standing(replied(reply)))
                    .filter(standing -> standing == ReplyStanding.CONTRADICTS)
                    .map(other -> reply.step() + " has another answer, which stands"));
  }

  private static SagaEvent.Replied replied(Reply reply) {
    return new SagaEvent.Replied(reply, reply.step(), Integer.toHexString(reply.hashCode()));
  }

  /** The application is told of an event that the saga waits for itself, or will. */
  public SagaDialogue<D> signal(String event) {
    return signalled(event, null, "the application", null, SignalStanding.TAKEN);
  }

  /** The same, with what the event says. */
  public SagaDialogue<D> signal(String event, Record payload) {
    return signalled(event, payload, "the application", null, SignalStanding.TAKEN);
  }

  /** The application is told of an event before its saga waits for it; it is kept. */
  public SagaDialogue<D> signalEarly(String event, @Nullable Record payload) {
    return signalled(event, payload, "the application", null, SignalStanding.KEPT);
  }

  /** An operator approves. */
  public SagaDialogue<D> approve(String approval, String operator) {
    return signalled(approval, null, operator, null, SignalStanding.TAKEN);
  }

  /** An operator does not approve. */
  public SagaDialogue<D> refuse(String approval, String operator, String why) {
    return signalled(approval, null, operator, why, SignalStanding.TAKEN);
  }

  /**
   * The saga that a step has started ends. COMPENSATED may come of itself, or since this saga is
   * undone.
   *
   * @param step as in {@code start("deliver-parts", …)}
   * @param end COMPLETED or COMPENSATED
   */
  public SagaDialogue<D> childEnded(String step, SagaStatus end) {
    expectNothingMore();
    assertThat(end.isEnd()).as("%s is an end", end).isTrue();
    String child = state().step(step).map(StepState::outcome).orElse("");
    String reason = end == SagaStatus.COMPENSATED ? "CANCELLED" : null;
    SagaEvent.Signalled signal = SagaEvent.Signalled.childEnded(step, child, reason);
    assertThat(saga.standing(signal))
        .as("what the end of %s is to the saga", step)
        .isEqualTo(SignalStanding.TAKEN);
    take(signal);
    return this;
  }

  /** The saga has started another one, about this subject; of several this is the next. */
  public SagaDialogue<D> expectStarted(String step, Object about) {
    List<StartedChild<?>> started =
        saga.children().subList(startedChildren, saga.children().size());
    assertThat(started).as("sagas started").isNotEmpty();
    assertThat(started.getFirst().step()).isEqualTo(step);
    assertThat(started.getFirst().subject()).isEqualTo(about);
    startedChildren++;
    return this;
  }

  /** The saga that a step has started is told to be undone, be it running or complete; the next. */
  public SagaDialogue<D> expectUndone(String step) {
    List<UUID> undone = saga.undoneChildren().subList(undoneChildren, saga.undoneChildren().size());
    assertThat(undone).as("sagas undone").isNotEmpty();
    assertThat(state().step(step).map(StepState::outcome))
        .as("the saga that %s has started", step)
        .hasValue(undone.getFirst().toString());
    undoneChildren++;
    return this;
  }

  /** What is told, or approved, changes nothing. */
  public SagaDialogue<D> expectUntaken(String event, String by, SignalStanding standing) {
    SagaState before = state();
    signalled(event, null, by, null, standing);
    assertThat(state()).isEqualTo(before);
    return this;
  }

  private SagaDialogue<D> signalled(
      String event,
      @Nullable Record payload,
      String by,
      @Nullable String refusal,
      SignalStanding expected) {
    expectNothingMore();
    told.add(payload);
    String position = payload == null ? null : Integer.toString(told.size() - 1);
    String hash = Integer.toHexString(Objects.hash(payload, by, refusal));
    SagaEvent.Signalled signal = new SagaEvent.Signalled(event, hash, position, by, refusal);
    assertThat(saga.standing(signal)).as("what %s is to the saga", event).isEqualTo(expected);
    take(signal);
    return this;
  }

  private <R extends Record> R payload(String position, Class<R> type) {
    return type.cast(told.get(Integer.parseInt(position)));
  }

  /** The saga is cancelled, and the answer is this. */
  public SagaDialogue<D> cancelled(CancelOutcome expected) {
    expectNothingMore();
    take(new SagaEvent.Cancel("CANCELLED", "ada", null));
    assertThat(saga.cancelOutcome()).as("what cancelling comes to").isEqualTo(expected);
    return this;
  }

  /** An operator retries: what is awaited is resent at once. */
  public SagaDialogue<D> retriedByOperator() {
    return requested(new SagaEvent.Retry("op", "told to"));
  }

  /** An operator compensates: the saga is undone from where it stands. */
  public SagaDialogue<D> compensatedByOperator() {
    return requested(new SagaEvent.Compensate("op", "told to"));
  }

  /** An operator's request is refused, for this reason. */
  public SagaDialogue<D> expectRefused(SagaEvent.Request request, String why) {
    SagaState before = state();
    assertThat(saga.objection(request)).as("why %s is refused", request).hasValue(why);
    take(request);
    assertThat(state()).isEqualTo(before);
    return this;
  }

  private SagaDialogue<D> requested(SagaEvent.Request request) {
    expectNothingMore();
    assertThat(saga.objection(request)).as("why %s is refused", request).isEmpty();
    take(request);
    return this;
  }

  /** Time passes; each timer that falls due meanwhile fires at its moment. */
  public SagaDialogue<D> after(Duration time) {
    expectNothingMore();
    Instant until = now.plus(time);
    for (Instant due = state().nextActionAt();
        due != null && !due.isAfter(until);
        due = state().nextActionAt()) {
      now = due.isAfter(now) ? due : now;
      take(new SagaEvent.Due());
    }
    now = until;
    return this;
  }

  /** These commands were sent since they were last asked for, in this order and no others. */
  public SagaDialogue<D> expect(ExpectedCommand... commands) {
    assertThat(unheard.stream().map(ExpectedCommand::of))
        .as("commands sent")
        .containsExactly(commands);
    unheard.clear();
    return this;
  }

  /** As {@link #expect(ExpectedCommand...)}. */
  public SagaDialogue<D> expect(List<ExpectedCommand> commands) {
    return expect(commands.toArray(ExpectedCommand[]::new));
  }

  /** Every command that was sent and is yet to be expected says that it expires after this long. */
  public SagaDialogue<D> expectWantedFor(Duration time) {
    assertThat(unheard)
        .as("commands sent")
        .isNotEmpty()
        .allSatisfy(sent -> assertThat(sent.expiresAt()).isEqualTo(now.plus(time)));
    return this;
  }

  /** Nothing was sent that was not expected. */
  public SagaDialogue<D> expectNothingMore() {
    assertThat(saga.children().size()).as("sagas started").isEqualTo(startedChildren);
    assertThat(saga.undoneChildren().size()).as("sagas undone").isEqualTo(undoneChildren);
    return expect();
  }

  /** The saga has this status. */
  public SagaDialogue<D> expectStatus(SagaStatus status) {
    assertThat(state().status()).as("the saga's status").isEqualTo(status);
    return this;
  }

  /** The saga has ended with this status; there is nothing more to send and no timer. */
  public SagaDialogue<D> expectEnd(SagaStatus end) {
    expectNothingMore();
    expectStatus(end);
    assertThat(end.isEnd()).as("%s is an end", end).isTrue();
    assertThat(state().nextActionAt()).as("timer of an ended saga").isNull();
    return this;
  }

  /** The history's last lines, each as {@code event step detail}, what is missing left out. */
  public SagaDialogue<D> expectHistory(String... lastLines) {
    assertThat(saga.history().stream().map(SagaDialogue::line))
        .as("the saga's history")
        .endsWith(Arrays.asList(lastLines).toArray(String[]::new));
    return this;
  }

  /** Where the saga stands. */
  public SagaState state() {
    return saga.state();
  }

  /** What the saga is about, as it is now. */
  public D subject() {
    return saga.subject();
  }

  private void take(SagaEvent event) {
    saga.apply(event, now);
    for (; taken < saga.commands().size(); taken++) {
      SentCommand sent = saga.commands().get(taken);
      OutgoingCommand command = saga.command(sent);
      OutgoingCommand first = firstSent.putIfAbsent(sent.name(), command);
      if (first != null) {
        assertThat(command).as("%s, sent again", sent.name()).isEqualTo(first);
      }
      unheard.add(sent);
    }
  }

  private static String line(HistoryEntry entry) {
    return Stream.of(entry.event().word(), entry.step(), entry.detail())
        .filter(Objects::nonNull)
        .collect(Collectors.joining(" "));
  }
}
