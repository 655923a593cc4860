package io.onceflow.saga.internal.messaging;

import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.saga.Choice;
import io.onceflow.saga.ItemSteps;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaDefinition.StepGroup;
import io.onceflow.saga.Step;
import io.onceflow.saga.Wait;
import io.onceflow.saga.internal.TimeInWords;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

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
      if (longest(definition).compareTo(promised) > 0) {
        throw new SagaDeadlineInvalid(definition, promised);
      }
    }
  }

  /**
   * When the last of what is undone may be started to be. The deadline does not count the time in
   * which steps wait for an external event, nor that of a pivot, which may be refused after it. Of
   * the branches of a choice one is taken.
   */
  static Duration longest(SagaDefinition<?> definition) {
    return definition.deadline().plus(longest(definition, definition.parts()));
  }

  private static Duration longest(
      SagaDefinition<?> definition, List<? extends StepGroup<?>> parts) {
    return parts.stream()
        .flatMap(part -> part.members().stream())
        .map(step -> longest(definition, step))
        .reduce(Duration.ZERO, Duration::plus);
  }

  private static Duration longest(SagaDefinition<?> definition, Step<?> step) {
    Duration longestWay =
        step.ways().stream()
            .map(way -> longest(definition, way))
            .max(Comparator.naturalOrder())
            .orElse(Duration.ZERO);
    return definition.isPastPivot(step) ? longestWay : longestWay.plus(own(step));
  }

  private static Duration own(Step<?> step) {
    return switch (step) {
      case Step.Send<?> send -> send.await().map(Step.Await::within).orElse(Duration.ZERO);
      case Wait<?> wait -> wait.atMost().orElse(Duration.ZERO);
      case Step.Run<?> run -> Duration.ZERO;
      case Choice<?> choice -> Duration.ZERO;
      case ItemSteps<?, ?> items -> Duration.ZERO;
    };
  }

  /** The step that waits longest of those that are undone; empty where none waits. */
  static Optional<String> longestWait(SagaDefinition<?> definition) {
    return definition.steps().stream()
        .filter(step -> !definition.isPastPivot(step) && own(step).isPositive())
        .max(Comparator.comparing(DeadlineCheck::own))
        .map(step -> "%s, which waits %s".formatted(step.name(), TimeInWords.of(own(step))));
  }
}
