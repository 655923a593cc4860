package io.onceflow.saga.internal.messaging;

import io.onceflow.core.internal.OnceflowException;
import io.onceflow.saga.SagaDefinition;
import java.time.Duration;

/** A definition lets its sagas send for longer than is promised; start-up refuses it (rule 14). */
final class SagaDeadlineInvalid extends OnceflowException {

  private static final long serialVersionUID = 1L;

  SagaDeadlineInvalid(SagaDefinition<?> definition, Duration promised) {
    super(
        ("sagas of %s may take %s until their pivot is done or refused, which is longer than"
                + " onceflow.inbox.saga-deadline (%s): participants would delete steps that may still"
                + " be repeated. Raise it in every service, with a retention to match, or give the definition a shorter"
                + " deadline, or its steps a shorter wait%s")
            .formatted(
                definition,
                DeadlineCheck.longest(definition),
                promised,
                DeadlineCheck.longestWait(definition)
                    .map(" (the longest: %s)"::formatted)
                    .orElse("")));
  }
}
