package io.onceflow.saga.internal;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A participant's answer, implemented by the business's own reply records. */
public interface Reply {

  /** The step or compensation that is answered, such as {@code process-payment}. */
  String step();

  /** Why the step was refused, such as {@code PAYMENT_DECLINED}; empty when it was done. */
  Optional<String> refusal();

  /**
   * Whether it is unknown if the step was done: the participant has used up its attempts without a
   * final answer from the external system. Such a step is compensated; a refused one is not. An
   * in-doubt reply has a {@link #refusal()} as well.
   */
  default boolean isInDoubt() {
    return false;
  }

  /**
   * Whether the participant has started the step and waits for an external event: another reply
   * will say its outcome. Such a reply has no {@link #refusal()}.
   */
  default boolean saysPending() {
    return false;
  }

  /** The record that a definition's functions get; null where the answer is the product's own. */
  default @Nullable Object content() {
    return this;
  }

  /** The message's type, such as {@code PaymentDeclined}; shown in the saga's history. */
  String type();
}
