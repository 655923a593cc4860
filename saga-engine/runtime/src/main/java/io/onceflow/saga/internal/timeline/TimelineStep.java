package io.onceflow.saga.internal.timeline;

import io.onceflow.inbox.internal.HandledStep;
import io.onceflow.participant.Answer.ReplyOutcome;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A step, or the undoing of one, from when it was sent to when its answer was received. {@code
 * sentAt}, {@code receivedAt} and {@code givenUpAt} are of the orchestrator's clock, the others of
 * the clock of the service's database: they may differ.
 *
 * @param step the definition's step
 * @param name that of the step, or of its compensation
 * @param compensation whether it undoes the step
 * @param local whether the orchestrator carries it out by itself, in its own transaction
 * @param service who carries it out; null where that is not known, and for a local step
 * @param sentAt when its command was sent, and resent; empty for a local step
 * @param arrivedAt when the service first read it; null where that is not known
 * @param begunAt when the service started its last attempt; null before that and where it is not
 *     known
 * @param answeredAt when the service stored its answer; null before that and where it is not known
 * @param receivedAt when the orchestrator recorded the answer; null before that
 * @param givenUpAt when the orchestrator waited no longer; null unless it did
 * @param dueAt while the service has not answered: when the lease of its attempt ends, or when its
 *     next attempt is due
 * @param progress how far the service has come; null where that is not known
 * @param attempts how often the service started it; null where that is not known
 * @param answer what the service answered; null while it has not
 * @param outcome what it came to in the saga, a word of its history; null while it waits
 * @param laterFailure what failed after it was answered and is not resolved; null where nothing did
 */
public record TimelineStep(
    String step,
    String name,
    boolean compensation,
    boolean local,
    @Nullable String service,
    List<Instant> sentAt,
    @Nullable Instant arrivedAt,
    @Nullable Instant begunAt,
    @Nullable Instant answeredAt,
    @Nullable Instant receivedAt,
    @Nullable Instant givenUpAt,
    @Nullable Instant dueAt,
    HandledStep.@Nullable Progress progress,
    @Nullable Integer attempts,
    @Nullable ReplyOutcome answer,
    @Nullable String outcome,
    @Nullable String laterFailure) {

  /** With what a service knows of it. */
  TimelineStep handled(String by, HandledStep known) {
    return new TimelineStep(
        step,
        name,
        compensation,
        local,
        by,
        sentAt,
        known.arrivedAt(),
        known.begunAt(),
        known.answeredAt(),
        receivedAt,
        givenUpAt,
        known.dueAt(),
        known.progress(),
        known.attempts(),
        known.outcome(),
        outcome,
        known.laterFailure());
  }
}
