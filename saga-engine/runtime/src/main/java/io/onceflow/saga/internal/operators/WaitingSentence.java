package io.onceflow.saga.internal.operators;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaView.Hold;
import io.onceflow.saga.SagaView.Quarantine;
import io.onceflow.saga.Wait;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.saga.internal.engine.RequestState;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.StepState;
import io.onceflow.saga.internal.store.JournaledCommand;
import io.onceflow.saga.internal.store.view.SagaWithHistory;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Says what a saga waits for: of several steps, the one that is due first. */
final class WaitingSentence {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss 'UTC'").withZone(ZoneOffset.UTC);

  private final SagaWithHistory saga;
  private final Optional<? extends SagaDefinition<?>> definition;
  private final Function<String, String> participants;

  /**
   * @param definition what the saga follows; empty where that is not known here
   * @param participants who gets the commands of a routing key
   */
  private WaitingSentence(
      SagaWithHistory saga,
      Optional<? extends SagaDefinition<?>> definition,
      Function<String, String> participants) {
    this.saga = saga;
    this.definition = definition;
    this.participants = participants;
  }

  /** Null once the saga has ended. */
  static SagaDetails.@Nullable Waiting of(
      SagaWithHistory saga,
      Optional<? extends SagaDefinition<?>> definition,
      Function<String, String> participants) {
    SagaState state = saga.saga().reached();
    return state.status().isEnd()
        ? null
        : new WaitingSentence(saga, definition, participants).waiting();
  }

  private SagaDetails.Waiting waiting() {
    List<StepState> awaited =
        saga.saga().reached().steps().stream()
            .filter(StepState::isAwaited)
            .sorted((one, other) -> one.dueAt().compareTo(other.dueAt()))
            .toList();
    return awaited.isEmpty() ? nothing() : waiting(awaited.getFirst(), awaited.size() - 1);
  }

  private SagaDetails.Waiting nothing() {
    String sentence =
        resting().or(this::queued).orElse("Waits for no reply; continues at its next timer.");
    return new SagaDetails.Waiting(null, null, null, false, null, null, 0, null, sentence);
  }

  private SagaDetails.Waiting waiting(StepState step, int others) {
    boolean isUndone = step.status() == StepStatus.COMPENSATING;
    RequestState request = isUndone ? step.compensation() : step.action();
    @Nullable JournaledCommand sent = saga.saga().sent().get(step.name());
    String participant = sent == null ? null : participants.apply(sent.routingKey());
    Instant until = resting().isEmpty() ? step.dueAt() : null;
    String failure = last(HistoryEvent.REFUSAL_IGNORED, step.name()).orElse(null);
    return new SagaDetails.Waiting(
        step.name(),
        sent == null ? null : sent.type(),
        participant,
        isUndone,
        request.sentAt(),
        until,
        request.sends(),
        failure,
        resting().orElseGet(() -> sentence(step, isUndone, request, participant, others))
            + (failure == null ? "" : " Last answer: %s.".formatted(failure)));
  }

  private Optional<String> queued() {
    return saga.history().stream()
        .filter(entry -> entry.event() == HistoryEvent.SAGA_QUEUED)
        .filter(entry -> saga.saga().reached().status() == SagaStatus.QUEUED)
        .reduce((earlier, later) -> later)
        .map(
            entry ->
                "Queued since %s: %s. %s"
                    .formatted(TIME.format(entry.at()), entry.detail(), turn(entry.detail())));
  }

  private String turn(@Nullable String limit) {
    return definition
        .flatMap(it -> it.limits().starts())
        .filter(starts -> starts.reason().equals(limit))
        .map(starts -> "It starts when its turn comes.")
        .orElse("It continues when one of them has ended.");
  }

  /** Why its timer rests; empty where it does not. */
  private Optional<String> resting() {
    return Optional.ofNullable(saga.saga().hold())
        .map(WaitingSentence::hold)
        .or(() -> Optional.ofNullable(saga.quarantine()).map(WaitingSentence::quarantine));
  }

  private static String hold(Hold hold) {
    return "On hold since %s by %s%s%s. Nothing is sent, and replies are kept, until %s."
        .formatted(
            TIME.format(hold.since()),
            hold.by(),
            hold.definition() ? ", with all sagas of its definition" : "",
            hold.reason() == null ? "" : ": " + hold.reason(),
            hold.until() == null
                ? "it is resumed"
                : "it is resumed, by itself at " + TIME.format(hold.until()));
  }

  private static String quarantine(Quarantine quarantine) {
    return "In quarantine since %s: handling it failed %s times, last: %s. Nothing is sent until it is retried or answered."
        .formatted(TIME.format(quarantine.since()), quarantine.failures(), quarantine.reason());
  }

  private String sentence(
      StepState step,
      boolean isUndone,
      RequestState request,
      @Nullable String participant,
      int others) {
    @Nullable JournaledCommand sent = saga.saga().sent().get(step.name());
    if (step.status() == StepStatus.AWAITING || isUndone && ownWait(step).isPresent()) {
      return ownWait(step)
              .orElseGet(
                  () -> awaiting(step, participant == null ? "The participant" : participant))
          + others(others)
          + ".";
    }
    return "Waits for %s to %s%s; sent %s, %s at %s%s."
        .formatted(
            participant == null ? "the participant" : participant,
            isUndone ? "undo " + step.name() : "answer " + step.name(),
            sent == null ? "" : " (%s)".formatted(sent.type()),
            request.sends() == 1 ? "once" : request.sends() + " times",
            isGivenUpNext(step) ? "times out" : "next attempt",
            TIME.format(step.dueAt()),
            others(others));
  }

  /** What the saga waits for itself; empty where its participant does. */
  private Optional<String> ownWait(StepState step) {
    String until = TIME.format(step.dueAt());
    return definition
        .<Wait<?>>flatMap(it -> it.waitNamed(step.name()))
        .map(
            wait ->
                switch (wait.kind()) {
                  case SLEEP -> "Sleeps until %s (%s)".formatted(until, step.name());
                  case EVENT -> "Waits for the event %s until %s".formatted(step.name(), until);
                  case CHILD ->
                      (step.status() == StepStatus.COMPENSATING
                              ? "Waits until the saga %s is compensated (%s)"
                              : "Waits for the end of the saga %s (%s)")
                          .formatted(step.outcome(), step.name());
                  case APPROVAL ->
                      "Waits for the approval %s by %s, until %s"
                          .formatted(step.name(), approver(wait, step.outcome()), until);
                });
  }

  private static String approver(Wait<?> wait, @Nullable String first) {
    Wait.Approval approval = wait.approval().orElseThrow();
    String second = first == null ? "two operators" : "a second operator beside " + first;
    return approval.approvers() == 1
        ? approval.role()
        : "%s (%s)".formatted(approval.role(), second);
  }

  private String awaiting(StepState step, String participant) {
    String sentence =
        step.isAskedOnceMore()
            ? "%s has started %s and waited for %s until its time was over; resent once, times out at"
                + " %s"
            : "%s has started %s and waits for %s, until %s at most";
    return sentence.formatted(
        participant, step.name(), awaitedEvent(step.name()), TIME.format(step.dueAt()));
  }

  private static String others(int others) {
    return others == 0 ? "" : "; %s more steps are in progress".formatted(others);
  }

  /** As the history tells it: the event, and until when. */
  private String awaitedEvent(String step) {
    return last(HistoryEvent.STEP_PENDING, step)
        .map(detail -> detail.split(" ")[0])
        .orElse("an external event");
  }

  private static boolean isGivenUpNext(StepState step) {
    Instant expires = step.expiresAt();
    return step.status() == StepStatus.WAITING && expires != null && !expires.isAfter(step.dueAt());
  }

  /** What the history says of the last of these events at a step. */
  private Optional<String> last(HistoryEvent event, String step) {
    return saga.history().stream()
        .filter(entry -> entry.event() == event && step.equals(entry.step()))
        .reduce((earlier, later) -> later)
        .map(HistoryEntry::detail);
  }
}
