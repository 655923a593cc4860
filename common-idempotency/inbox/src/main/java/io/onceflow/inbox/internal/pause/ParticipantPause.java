package io.onceflow.inbox.internal.pause;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * That a participant is paused.
 *
 * @param by the operator who did it
 * @param at when, by the database's clock
 * @param reason in the operator's words; null where none is known
 */
public record ParticipantPause(String by, Instant at, @Nullable String reason) {}
