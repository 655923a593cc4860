package io.onceflow.saga.internal.messaging;

import io.onceflow.saga.Choice;
import io.onceflow.saga.ItemSteps;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaDefinition.StepGroup;
import io.onceflow.saga.Step;
import io.onceflow.saga.Wait;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.ArrayList;
import java.util.List;
import org.jboss.logging.Logger;

/** Warns once of steps whose effect stays when what comes after them fails. */
@ApplicationScoped
class CompensationCheck {

  private static final Logger LOG = Logger.getLogger(CompensationCheck.class);

  private final SagaRunners sagas;

  CompensationCheck(SagaRunners sagas) {
    this.sagas = sagas;
  }

  void check(@Observes StartupEvent starting) {
    for (SagaDefinition<?> definition : sagas.definitions()) {
      List<String> missing = missing(definition);
      if (!missing.isEmpty()) {
        LOG.warnf(
            "saga %s has steps without a compensation before others that may fail: %s. What they did"
                + " stays when the saga is compensated. Say compensateWith(...), move them past the"
                + " pivot, or say bestEffort() where that does no harm.",
            definition, String.join(", ", missing));
      }
    }
  }

  /** In the order of the steps. */
  static List<String> missing(SagaDefinition<?> definition) {
    List<String> missing = new ArrayList<>();
    new Walk(definition, missing).mayFail(definition.parts(), false);
    return missing.reversed();
  }

  /** Goes through a definition from its end. */
  private record Walk(SagaDefinition<?> definition, List<String> missing) {

    /** Whether one of these parts, or what comes after them, may turn the saga round. */
    boolean mayFail(List<? extends StepGroup<?>> parts, boolean after) {
      boolean mayFail = after;
      for (StepGroup<?> part : parts.reversed()) {
        mayFail = mayFail(part, mayFail);
      }
      return mayFail;
    }

    /** Steps that are taken together come after each other in any order. */
    private boolean mayFail(StepGroup<?> part, boolean after) {
      List<? extends Step<?>> members = part.members();
      boolean isBeforeAFailure =
          after || members.size() > 1 && members.stream().anyMatch(this::mayFail);
      boolean mayFail = after;
      for (Step<?> step : members.reversed()) {
        for (List<? extends StepGroup<?>> way : step.ways().reversed()) {
          mayFail |= mayFail(way, after);
        }
        if (isBeforeAFailure && isLeft(step)) {
          missing.add(step.name());
        }
        mayFail |= mayFail(step);
      }
      return mayFail;
    }

    private boolean isLeft(Step<?> step) {
      return isSent(step)
          && !isSpared(step)
          && !step.isPivot()
          && step.compensation().isEmpty()
          && !definition.isPastPivot(step);
    }

    /** Whether it may turn the saga round itself. */
    private boolean mayFail(Step<?> step) {
      if (definition.isPastPivot(step)) {
        return false;
      }
      return switch (step) {
        case Step.Send<?> send -> !send.isBestEffort() && send.fallback().isEmpty();
        case ItemSteps<?, ?> items -> !items.isBestEffort();
        case Wait<?> wait -> wait.kind() != Wait.Kind.SLEEP && wait.alternative().isEmpty();
        case Step.Run<?> run -> false;
        case Choice<?> choice -> false;
      };
    }

    private static boolean isSent(Step<?> step) {
      return step instanceof Step.Send
          || step instanceof ItemSteps<?, ?> items && items.template().isPresent();
    }

    private static boolean isSpared(Step<?> step) {
      return step instanceof Step.Send<?> send && send.isBestEffort()
          || step instanceof ItemSteps<?, ?> items && items.isBestEffort();
    }
  }
}
