package io.onceflow.saga.internal.engine;

import io.onceflow.saga.Saga.SagaStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a transition requires, in this order and in the same transaction. */
public sealed interface Effect {

  /**
   * The reply counts: the function of the definition applies it to the subject before any other
   * effect.
   */
  record NoteReply() implements Effect {}

  /**
   * The step's command is to be sent.
   *
   * @param attempt from 1 on; the step key is the same for each
   * @param expiresAt when the command expires, the same for each attempt; null for never
   */
  record SendCommand(String step, int attempt, @Nullable Instant expiresAt) implements Effect {}

  /**
   * The compensation's command is to be sent.
   *
   * @param step the step that is undone
   * @param compensation the name under which it is undone
   * @param attempt from 1 on; the step key is the same for each
   */
  record SendCompensation(String step, String compensation, int attempt) implements Effect {}

  /** The local step, or the pivot, is to be run on the subject. */
  record RunLocal(String step) implements Effect {}

  /**
   * The saga is over.
   *
   * @param status an end
   * @param reason why it was undone; null when it was completed
   */
  record Ended(SagaStatus status, @Nullable String reason) implements Effect {}
}
