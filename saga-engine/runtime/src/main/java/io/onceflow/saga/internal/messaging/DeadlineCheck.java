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
import java.util.stream.Stream;

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
    check(sagas.definitions(), sagas::versions, config.sagaDeadline());
  }

  /** The definition of a saga that others start, in every version. */
  @FunctionalInterface
  interface Started {
    List<? extends SagaDefinition<?>> versions(Class<?> saga);
  }

  static void check(
      List<? extends SagaDefinition<?>> definitions, Started started, Duration promised) {
    for (SagaDefinition<?> definition : definitions) {
      Duration longest = longest(definition, started);
      if (longest.compareTo(promised) > 0) {
        throw new SagaDeadlineInvalid(
            definition, longest, longestWait(definition, started), promised);
      }
    }
  }

  /**
   * When the last of what is undone may be started to be. The deadline does not count the time in
   * which steps wait for an external event, nor that of a pivot, which may be refused after it, nor
   * that of a saga that was started and is undone with it. Of the branches of a choice one is
   * taken.
   */
  static Duration longest(SagaDefinition<?> definition, Started started) {
    return definition.deadline().plus(longest(definition, definition.parts(), started));
  }

  private static Duration longest(
      SagaDefinition<?> definition, List<? extends StepGroup<?>> parts, Started started) {
    return parts.stream()
        .flatMap(part -> part.members().stream())
        .map(step -> longest(definition, step, started))
        .reduce(Duration.ZERO, Duration::plus);
  }

  private static Duration longest(SagaDefinition<?> definition, Step<?> step, Started started) {
    Duration longestWay =
        longest(step.ways().stream().map(way -> longest(definition, way, started)));
    boolean isUndone = definition.startsUndone(step);
    return definition.isPastPivot(step) && !isUndone
        ? longestWay
        : longestWay.plus(own(step, started));
  }

  private static Duration longest(Stream<Duration> any) {
    return any.max(Comparator.naturalOrder()).orElse(Duration.ZERO);
  }

  private static Duration own(Step<?> step, Started started) {
    return switch (step) {
      case Step.Send<?> send -> send.await().map(Step.Await::within).orElse(Duration.ZERO);
      case Wait<?> wait when wait.child().isPresent() ->
          longest(
              started.versions(wait.child().get().saga()).stream()
                  .map(version -> longest(version, started)));
      case Wait<?> wait -> wait.atMost().orElse(Duration.ZERO);
      case Step.Run<?> run -> Duration.ZERO;
      case Choice<?> choice -> Duration.ZERO;
      case ItemSteps<?, ?> items -> Duration.ZERO;
    };
  }

  /** The step that waits longest of those that are undone; empty where none waits. */
  private static Optional<String> longestWait(SagaDefinition<?> definition, Started started) {
    return definition.steps().stream()
        .filter(step -> !definition.isPastPivot(step) && own(step, started).isPositive())
        .max(Comparator.comparing(step -> own(step, started)))
        .map(
            step ->
                "%s, which waits %s".formatted(step.name(), TimeInWords.of(own(step, started))));
  }
}
