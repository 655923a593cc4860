package io.onceflow.conformance.onceflow;

import static io.onceflow.saga.SagaDefinition.await;
import static io.onceflow.saga.SagaDefinition.choice;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.onceflow.conformance.onceflow.SuiteMessages.DoStep;
import io.onceflow.conformance.onceflow.SuiteMessages.StepDeclined;
import io.onceflow.conformance.onceflow.SuiteMessages.UndoStep;
import io.onceflow.saga.Choice;
import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Three steps; in the second version four. */
@ApplicationScoped
public class SuiteDefinition implements Saga<SuiteSaga> {

  private final int version;

  SuiteDefinition(@ConfigProperty(name = "suite.version", defaultValue = "1") int version) {
    this.version = version;
  }

  @Override
  public SagaDefinition<SuiteSaga> definition() {
    return version == 1 ? first() : second();
  }

  @Override
  public List<SagaDefinition<SuiteSaga>> earlierVersions() {
    return version == 1 ? List.of() : List.of(first());
  }

  private static SagaDefinition<SuiteSaga> first() {
    return saga("suite", 1, suiteStep("first"), message(), suiteStep("middle"), suiteStep("last"));
  }

  private static SagaDefinition<SuiteSaga> second() {
    return saga(
        "suite",
        2,
        suiteStep("first"),
        suiteStep("extra"),
        message(),
        suiteStep("middle"),
        suiteStep("last"));
  }

  private static Step.Send<SuiteSaga> suiteStep(String name) {
    return step(name)
        .send(DoStep.class, SuiteSaga.take(name))
        .compensateWith("undo-" + name, UndoStep.class, SuiteSaga.undo(name))
        .on(StepDeclined.class, SuiteSaga::declined)
        .replyWithin(ofSeconds(2))
        .attempts(20);
  }

  private static Choice<SuiteSaga> message() {
    return choice("waits")
        .when("yes", SuiteSaga::waits, await("message").within(ofMinutes(5)))
        .otherwise();
  }
}
