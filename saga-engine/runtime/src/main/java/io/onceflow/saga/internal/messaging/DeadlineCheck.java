package io.onceflow.saga.internal.messaging;

import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.List;

/**
 * Refuses to start with sagas that send for longer than their participants were promised (rule 14).
 */
@ApplicationScoped
class DeadlineCheck {

  /** Before anything is consumed. */
  private static final int FIRST = 1;

  private final SagaRunners sagas;
  private final InboxConfig config;

  DeadlineCheck(SagaRunners sagas, InboxConfig config) {
    this.sagas = sagas;
    this.config = config;
  }

  void check(@Observes @Priority(FIRST) StartupEvent starting) {
    check(sagas.definitions(), config.sagaDeadline());
  }

  static void check(List<? extends SagaDefinition<?>> definitions, Duration promised) {
    for (SagaDefinition<?> definition : definitions) {
      if (definition.deadline().compareTo(promised) > 0) {
        throw new SagaDeadlineInvalid(definition, promised);
      }
    }
  }
}
