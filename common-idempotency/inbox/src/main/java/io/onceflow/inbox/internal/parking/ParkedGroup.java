package io.onceflow.inbox.internal.parking;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Parked messages with one cause: of one queue, type and reason, with details that differ in
 * numbers, ids and quoted values alone.
 *
 * @param fingerprint of these parts
 * @param cause what the details have in common; null for callers who may not see it
 * @param count how many there are
 * @param firstAt when the first of them was parked
 * @param lastAt when the last of them was parked
 * @param redrives how often operators have redriven them in vain, all together
 * @param waiting how many are retried automatically
 * @param samples ids of the newest
 */
public record ParkedGroup(
    String fingerprint,
    String queue,
    @Nullable String type,
    String reason,
    @Nullable String cause,
    long count,
    Instant firstAt,
    Instant lastAt,
    long redrives,
    long waiting,
    List<UUID> samples) {

  /** As a caller sees it who may not see what messages hold. */
  public ParkedGroup withoutContents() {
    return withCause(null);
  }

  /** With its text changed, such as to hide a secret. */
  public ParkedGroup with(UnaryOperator<String> change) {
    return withCause(cause == null ? null : change.apply(cause));
  }

  private ParkedGroup withCause(@Nullable String shown) {
    return new ParkedGroup(
        fingerprint,
        queue,
        type,
        reason,
        shown,
        count,
        firstAt,
        lastAt,
        redrives,
        waiting,
        samples);
  }
}
