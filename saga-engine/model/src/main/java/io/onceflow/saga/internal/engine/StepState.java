package io.onceflow.saga.internal.engine;

import static java.util.Objects.requireNonNull;

import io.onceflow.saga.Saga.StepStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How far a step of a running saga has come. Each of its methods throws {@link
 * IllegalStateException} where {@link StepStatus} has no such transition.
 *
 * @param name the step's name in the definition
 * @param action the command and its reply; a local step counts as sent and answered when it ran
 * @param compensation the compensation's command and its reply
 * @param expiresAt when the step times out; fixed when it is first sent, and sent with it. One that
 *     is AWAITING expires only after it was {@link #isAskedOnceMore asked once more}, which fixes
 *     this again. Null before it is sent, for local steps, and for steps past the pivot
 * @param dueAt when the message that is awaited is resent or timed out, or the time is over in
 *     which the participant may wait for an external event; null when none is awaited
 * @param askAt when a participant that waits for an external event is asked the outcome of the
 *     step, since its reply may be lost; null where none waits, or after the last time
 * @param outcome what was decided or told besides: the branch that a choice takes, the keys of the
 *     items, the payload of an event that came before its wait, who has approved first, or the id
 *     of the saga that was started; null where there is nothing
 */
public record StepState(
    String name,
    StepStatus status,
    RequestState action,
    RequestState compensation,
    @Nullable Instant expiresAt,
    @Nullable Instant dueAt,
    @Nullable Instant askAt,
    @Nullable String outcome) {

  /** So much may those of two processes, and of the database. */
  private static final Duration CLOCKS_DIFFER = Duration.ofSeconds(2);

  /** A step of which nothing was decided or told besides. */
  public StepState(
      String name,
      StepStatus status,
      RequestState action,
      RequestState compensation,
      @Nullable Instant expiresAt,
      @Nullable Instant dueAt,
      @Nullable Instant askAt) {
    this(name, status, action, compensation, expiresAt, dueAt, askAt, null);
  }

  /** A step whose participant is not to be asked meanwhile. */
  public StepState(
      String name,
      StepStatus status,
      RequestState action,
      RequestState compensation,
      @Nullable Instant expiresAt,
      @Nullable Instant dueAt) {
    this(name, status, action, compensation, expiresAt, dueAt, null);
  }

  static StepState pending(String name) {
    return new StepState(
        name, StepStatus.PENDING, RequestState.NONE, RequestState.NONE, null, null);
  }

  /** How often the step's command was sent. */
  public int attempts() {
    return action.attempts();
  }

  /** When the step's command was last sent; null before the first time. */
  public @Nullable Instant sentAt() {
    return action.sentAt();
  }

  /** When the step was answered; null until then. */
  public @Nullable Instant repliedAt() {
    return action.repliedAt();
  }

  /** Whether a reply is awaited, be it to the step or to its compensation. */
  public boolean isAwaited() {
    return dueAt != null;
  }

  /** Whether a reply to the step's own command is awaited. */
  boolean isWaiting() {
    return status == StepStatus.WAITING || status == StepStatus.AWAITING;
  }

  /** Whether it is being or has been undone, or would be, without a reply that it was done. */
  boolean isGivenUp() {
    boolean over = status == StepStatus.GIVEN_UP || compensation.attempts() > 0;
    return over && action.repliedAt() == null;
  }

  /** Whether the step has, or may have, taken effect and its compensation has not started. */
  boolean isToBeUndone() {
    return status == StepStatus.SUCCEEDED || status == StepStatus.GIVEN_UP;
  }

  boolean isDue(Instant now) {
    return dueAt != null && !dueAt.isAfter(now);
  }

  boolean isToBeAsked(Instant now) {
    return askAt != null && !askAt.isAfter(now);
  }

  /**
   * Whether its time to wait for an external event is over and its participant was asked once more
   * the outcome of it. Then it expires when that answer is due; before, the two moments differ.
   */
  public boolean isAskedOnceMore() {
    return status == StepStatus.AWAITING && expiresAt != null && expiresAt.equals(dueAt);
  }

  /** Whether what is awaited was started later than now: by a clock that was set back since. */
  boolean isAhead(Instant now) {
    return dueAt != null && begunAt().isAfter(now.plus(CLOCKS_DIFFER));
  }

  private Instant begunAt() {
    RequestState awaited = status == StepStatus.COMPENSATING ? compensation : action;
    return requireNonNull(awaited.sentAt());
  }

  /**
   * As if what is awaited, and is {@link #isAhead}, were started now: it may take as long as ever.
   */
  StepState begunNow(Instant now) {
    Duration ahead = Duration.between(now, begunAt());
    boolean isUndone = status == StepStatus.COMPENSATING;
    return new StepState(
        name,
        status,
        isUndone ? action : action.begun(now),
        isUndone ? compensation.begun(now) : compensation,
        expiresAt == null ? null : expiresAt.minus(ahead),
        requireNonNull(dueAt).minus(ahead),
        askAt == null ? null : askAt.minus(ahead),
        outcome);
  }

  /** The same wait, until another moment. */
  StepState until(Instant moment) {
    return new StepState(name, status, action, compensation, expiresAt, moment, askAt, outcome);
  }

  /** Whether it has to time out; what waits for an external event has a time of its own. */
  boolean isExpired(Instant now) {
    return switch (status) {
      case WAITING -> expiresAt != null && !expiresAt.isAfter(now);
      case AWAITING -> isAskedOnceMore() && isDue(now);
      case PENDING, SKIPPED, SUCCEEDED, REFUSED, GIVEN_UP, COMPENSATING, COMPENSATED -> false;
    };
  }

  StepState sent(Instant now, Instant nextDueAt, @Nullable Instant newExpiresAt) {
    guard("sent", StepStatus.PENDING, StepStatus.WAITING, StepStatus.AWAITING);
    return new StepState(
        name, StepStatus.WAITING, action.sent(now), compensation, newExpiresAt, nextDueAt);
  }

  /** Sends what is awaited once more, besides its attempts: it falls due at these moments. */
  StepState repeated(Instant now, Instant nextDueAt, @Nullable Instant nextAskAt) {
    guard("repeated", StepStatus.WAITING, StepStatus.AWAITING, StepStatus.COMPENSATING);
    boolean isUndone = status == StepStatus.COMPENSATING;
    return new StepState(
        name,
        status,
        isUndone ? action : action.repeated(now),
        isUndone ? compensation.repeated(now) : compensation,
        expiresAt,
        nextDueAt,
        nextAskAt);
  }

  /**
   * The participant waits for an external event until then, or a millisecond longer, and is asked
   * before.
   */
  StepState awaiting(Instant until, Instant firstAskAt) {
    guard("awaited", StepStatus.WAITING);
    // The same moment as that of its expiry would say that it was asked once more.
    Instant end = until.equals(expiresAt) ? until.plusMillis(1) : until;
    return new StepState(
        name, StepStatus.AWAITING, action, compensation, expiresAt, end, firstAskAt);
  }

  /** Its time to wait for an external event is over: sends the command once more, the last time. */
  StepState askedOnceMore(Instant now, Instant until) {
    guard("asked once more", StepStatus.AWAITING);
    return new StepState(name, status, action.sent(now), compensation, until, until);
  }

  /** It is not taken: another branch is. */
  StepState skipped() {
    guard("skipped", StepStatus.PENDING);
    return new StepState(
        name, StepStatus.SKIPPED, RequestState.NONE, RequestState.NONE, null, null);
  }

  /** The same under another name, which a step that was sent must not get. */
  StepState named(String other) {
    return new StepState(other, status, action, compensation, expiresAt, dueAt, askAt, outcome);
  }

  /** A choice was made, or the items were fixed. */
  StepState decided(Instant now, String what) {
    return ran(now).with(what);
  }

  /** Waits until then, for an event or for nothing else. */
  StepState waiting(Instant now, Instant until) {
    guard("waited for", StepStatus.PENDING, StepStatus.AWAITING);
    return new StepState(
        name, StepStatus.AWAITING, action.sent(now), compensation, null, until, null, outcome);
  }

  /** The event that it will wait for has come already. */
  StepState kept(String hash, @Nullable String payload) {
    guard("told early", StepStatus.PENDING);
    return with(action.noted(hash), compensation).with(payload);
  }

  /** One of two operators has approved. */
  StepState approved(String hash, String by) {
    guard("approved", StepStatus.AWAITING);
    return with(action.noted(hash), compensation).with(by);
  }

  /** What it waited for is there; at once, where it was there before. */
  StepState over(Instant now, @Nullable String hash) {
    guard("over", StepStatus.PENDING, StepStatus.AWAITING);
    RequestState started = action.attempts() == 0 ? action.sent(now) : action;
    return settled(StepStatus.SUCCEEDED, started.replied(now, hash)).with((String) null);
  }

  StepState ran(Instant now) {
    guard("run", StepStatus.PENDING);
    return settled(StepStatus.SUCCEEDED, action.sent(now).replied(now, null));
  }

  StepState succeeded(Instant now, String reply) {
    guard("done", StepStatus.WAITING, StepStatus.AWAITING);
    return settled(StepStatus.SUCCEEDED, action.replied(now, reply));
  }

  StepState refused(Instant now, String reply) {
    guard("refused", StepStatus.WAITING, StepStatus.AWAITING);
    return settled(StepStatus.REFUSED, action.replied(now, reply)).with(outcome);
  }

  StepState givenUp() {
    guard("timed out", StepStatus.WAITING, StepStatus.AWAITING);
    return settled(StepStatus.GIVEN_UP, action);
  }

  StepState compensating(Instant now, Instant nextDueAt) {
    guard("compensated", StepStatus.SUCCEEDED, StepStatus.GIVEN_UP, StepStatus.COMPENSATING);
    return new StepState(
        name, StepStatus.COMPENSATING, action, compensation.sent(now), expiresAt, nextDueAt);
  }

  /** The saga that was started is to be undone; it is told so again when this falls due. */
  StepState undoing(Instant now, Instant nextDueAt) {
    guard("undone", StepStatus.AWAITING, StepStatus.SUCCEEDED, StepStatus.COMPENSATING);
    return new StepState(
        name,
        StepStatus.COMPENSATING,
        action,
        compensation.sent(now),
        null,
        nextDueAt,
        null,
        outcome);
  }

  StepState compensated(Instant now, String reply) {
    guard("done compensating", StepStatus.COMPENSATING);
    return new StepState(
        name,
        StepStatus.COMPENSATED,
        action,
        compensation.replied(now, reply),
        expiresAt,
        null,
        null,
        outcome);
  }

  /** Records that the step was done although its compensation is or was under way. */
  StepState succeededLate(Instant now, String reply) {
    guard("done late", StepStatus.COMPENSATING, StepStatus.COMPENSATED);
    return with(action.replied(now, reply), compensation);
  }

  /** Remembers a reply to its command that does not end it. */
  StepState noted(String reply) {
    return with(action.noted(reply), compensation);
  }

  /** Remembers that its command was refused, which it may not be. */
  StepState refusalNoted(String reply, String why) {
    return with(action.refused(reply, why), compensation);
  }

  /** Remembers that its compensation was refused, which it may not be. */
  StepState compensationRefused(String reply, String why) {
    return with(action, compensation.refused(reply, why));
  }

  /** As if no reply were remembered. */
  StepState withoutMemory() {
    return with(action.withoutMemory(), compensation.withoutMemory());
  }

  private StepState with(RequestState newAction, RequestState newCompensation) {
    return new StepState(
        name, status, newAction, newCompensation, expiresAt, dueAt, askAt, outcome);
  }

  StepState with(@Nullable String newOutcome) {
    return new StepState(name, status, action, compensation, expiresAt, dueAt, askAt, newOutcome);
  }

  /** Sends the compensation once more without waiting for its answer. */
  StepState compensatedOnceMore(Instant now) {
    guard("compensated once more", StepStatus.COMPENSATED);
    return new StepState(
        name,
        status,
        action,
        compensation
            .sent(now)
            .replied(requireNonNull(compensation.repliedAt()), compensation.reply()),
        expiresAt,
        null);
  }

  private StepState settled(StepStatus outcome, RequestState exchange) {
    return new StepState(name, outcome, exchange, compensation, expiresAt, null);
  }

  private void guard(String verb, StepStatus... from) {
    if (!Arrays.asList(from).contains(status)) {
      throw new IllegalStateException(
          "step %s is %s and cannot be %s; that needs %s"
              .formatted(name, status, verb, Arrays.toString(from)));
    }
  }
}
