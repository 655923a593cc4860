package io.onceflow.saga.internal.overview;

import io.onceflow.saga.internal.store.view.SagaCounts;
import io.onceflow.saga.internal.store.view.SagaFlow;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * How the sagas of all replicas are. What is parked and in the outbox is as of the last look of the
 * metrics, ten seconds ago at most.
 *
 * @param at when it was counted
 * @param open those that have not ended: the sum of running, compensating, stuck and quarantined
 * @param quarantined those whose timer rests since handling them fails
 * @param held those of them that operators hold
 * @param overdue those of the open ones whose timer should have been served 10 s ago, or whose
 *     deadline has passed
 * @param since since when there are stuck, quarantined, held and overdue ones
 * @param parked messages that this service could not handle, up to 1,000; null while not known
 * @param startedPerSecond within the last minute, or the shorter time that {@link SagaFlow} tells
 * @param endedPerSecond likewise
 * @param p50Ms half of those that ended in that time took no longer from start to end; null where
 *     none ended
 * @param p95Ms 95 of 100 of them took no longer; null where none ended
 * @param p99Ms 99 of 100 of them took no longer; null where none ended
 * @param steps where the open ones wait
 * @param awaited the participants that they wait for
 */
record Overview(
    Instant at,
    long open,
    long running,
    long compensating,
    long stuck,
    long quarantined,
    long held,
    long overdue,
    SagaCounts.Since since,
    @Nullable Long parked,
    OutboxBacklog outbox,
    double startedPerSecond,
    double endedPerSecond,
    @Nullable Long p50Ms,
    @Nullable Long p95Ms,
    @Nullable Long p99Ms,
    List<SagaCounts.AtStep> steps,
    List<Awaited> awaited) {

  /**
   * A participant that has to answer.
   *
   * @param command the first word of the routing keys of its commands, by which a list of sagas
   *     finds those that wait for it
   * @param sagas that wait for it
   */
  @Schema(name = "AwaitedParticipant")
  record Awaited(String participant, String command, int sagas) {}

  /**
   * Messages that were not sent yet.
   *
   * @param messages null while not known
   * @param oldestAgeMs null while not known
   */
  record OutboxBacklog(@Nullable Long messages, @Nullable Long oldestAgeMs) {}
}
