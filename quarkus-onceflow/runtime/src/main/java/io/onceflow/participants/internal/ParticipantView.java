package io.onceflow.participants.internal;

import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * How a service is, in the shape of its JSON. What is not known is null.
 *
 * @param name of the application
 * @param queues that it consumes
 * @param handledPerSecond commands that all replicas answered in the last minute
 * @param p50Ms of these, from when a command was recorded to its answer
 * @param p95Ms likewise
 * @param p99Ms likewise
 * @param failures of the last minute: messages that were parked, and calls of this replica
 * @param breakers of this replica
 * @param paused whether operators have paused it
 * @param pausedBy who did; null while it is not paused
 * @param pausedAt when; null while it is not paused
 * @param pausedReason in the words of who did; null while it is not paused, and for callers who may
 *     not see it
 * @param parked messages, of which a thousand are counted at most
 * @param refundsFailed refunds that its gateway or carrier has not made and no operator has
 *     resolved, of which fifty of each are counted at most; null where none are looked for
 * @param bookDifferences differences between its books and the other side's that are open; null
 *     where none are compared
 * @param outboxOldestAgeMs age of the oldest message that is not sent
 */
@Schema(name = "Participant")
record ParticipantView(
    String name,
    List<QueueView> queues,
    @Nullable Double handledPerSecond,
    @Nullable Long p50Ms,
    @Nullable Long p95Ms,
    @Nullable Long p99Ms,
    @Nullable Long failures,
    List<BreakerView> breakers,
    boolean paused,
    @Nullable String pausedBy,
    @Nullable Instant pausedAt,
    @Nullable String pausedReason,
    long parked,
    @Nullable Long refundsFailed,
    @Nullable Long bookDifferences,
    @Nullable Long outboxOldestAgeMs) {

  /**
   * A queue.
   *
   * @param depth messages that wait; null where the transport does not tell
   * @param consumers of all replicas; null where the transport does not tell
   * @param paused whether none are taken from it
   * @param warning what policies or bindings of the broker do to its messages that they must not;
   *     null while nothing is known
   */
  @Schema(name = "ParticipantQueue")
  record QueueView(
      String queue,
      @Nullable Long depth,
      @Nullable Integer consumers,
      boolean paused,
      @Nullable String warning) {}

  /**
   * A circuit breaker.
   *
   * @param target the type of the commands whose calls it breaks
   * @param state {@code OPEN} while no calls are made, else {@code CLOSED}
   */
  @Schema(name = "ParticipantBreaker")
  record BreakerView(String target, String state) {}
}
