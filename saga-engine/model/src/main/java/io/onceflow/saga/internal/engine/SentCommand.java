package io.onceflow.saga.internal.engine;

import io.onceflow.saga.Step.OutgoingCommand;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A command that a saga sends now.
 *
 * @param name the step or compensation it is for: the last part of its step key
 * @param undoes the step that a compensation undoes; null for a step's own command
 * @param attempt from 1 on; for display only, it is not part of the key
 * @param expiresAt when the command expires, the same for each attempt; null for never, as of every
 *     compensation
 * @param command made for the first attempt; null for later ones, which send the same bytes
 */
public record SentCommand(
    String name,
    @Nullable String undoes,
    int attempt,
    @Nullable Instant expiresAt,
    @Nullable OutgoingCommand command) {

  /** The step that it is for, or that it undoes. */
  public String step() {
    return undoes == null ? name : undoes;
  }
}
