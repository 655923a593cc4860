package io.onceflow.saga.internal.store;

import io.onceflow.participant.Answer.ReplyOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A command on its way out.
 *
 * @param sagaId travels as the correlation id
 * @param subjectId what the saga is about
 * @param scope whose root key it is
 * @param rootKey travels with the command; a participant makes its step key of it and of the step
 *     that it knows the command to be
 * @param origin application and definition, which belong to the identity of every step
 * @param traceparent the trace context of the request that started the saga; null if it had none
 * @param name the step or compensation that the command is for
 * @param undoes the step that a compensation undoes; null for a step's own command
 * @param expiresAt when the command expires, the same for each attempt; null for never
 * @param awaitWithin for how long the saga waits if the step is answered as pending; null where it
 *     does not
 * @param endsWith the outcomes that end the step, since it is sent again after any other; empty
 *     where any outcome ends it
 */
public record SagaMessage(
    UUID sagaId,
    UUID subjectId,
    String scope,
    String rootKey,
    String origin,
    @Nullable String traceparent,
    String name,
    @Nullable String undoes,
    @Nullable Instant expiresAt,
    @Nullable Duration awaitWithin,
    Set<ReplyOutcome> endsWith,
    RenderedCommand command) {}
