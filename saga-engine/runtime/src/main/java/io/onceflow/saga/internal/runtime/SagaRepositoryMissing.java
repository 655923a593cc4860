package io.onceflow.saga.internal.runtime;

import io.onceflow.core.internal.OnceflowException;
import io.onceflow.saga.SagaDefinition;

/** An application defines a saga and does not say where its subjects are kept. */
final class SagaRepositoryMissing extends OnceflowException {

  private static final long serialVersionUID = 1L;

  SagaRepositoryMissing(SagaDefinition<?> saga, Class<?> subject) {
    super(
        "saga %s is about %s, of which there is no repository; make it a JPA @Entity, or"
            + " add a bean that implements SagaRepository<%s>"
                .formatted(saga, subject.getSimpleName(), subject.getSimpleName()));
  }
}
