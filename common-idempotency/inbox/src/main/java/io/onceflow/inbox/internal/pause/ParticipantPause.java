package io.onceflow.inbox.internal.pause;

import java.time.Instant;

/**
 * That a participant is paused.
 *
 * @param by the operator who did it
 * @param at when, by the database's clock
 */
public record ParticipantPause(String by, Instant at) {}
