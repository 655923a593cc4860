package io.onceflow.saga.internal.messaging;

import io.onceflow.core.internal.OnceflowException;
import io.onceflow.saga.SagaDefinition;
import java.time.Duration;
import java.util.Optional;

/** A definition lets its sagas send for longer than is promised; start-up refuses it (rule 14). */
final class SagaDeadlineInvalid extends OnceflowException {

  private static final long serialVersionUID = 1L;

  /**
   * @param longestWait the step that waits longest; empty where none does
   */
  SagaDeadlineInvalid(
      SagaDefinition<?> definition,
      Duration longest,
      Optional<String> longestWait,
      Duration promised) {
    super(
        ("sagas of %s may take %s until their pivot is done or refused, which is longer than"
                + " onceflow.inbox.saga-deadline (%s): participants would delete steps that may still"
                + " be repeated. Raise it in every service, with a retention to match, or give the definition a shorter"
                + " deadline, or its steps a shorter wait%s")
            .formatted(
                definition,
                longest,
                promised,
                longestWait.map(" (the longest: %s)"::formatted).orElse("")));
  }
}
