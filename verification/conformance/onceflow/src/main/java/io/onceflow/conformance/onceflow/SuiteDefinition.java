package io.onceflow.conformance.onceflow;

import static io.onceflow.saga.SagaDefinition.await;
import static io.onceflow.saga.SagaDefinition.choice;
import static io.onceflow.saga.SagaDefinition.saga;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.onceflow.conformance.onceflow.SuiteParticipant.DoStep;
import io.onceflow.conformance.onceflow.SuiteParticipant.UndoStep;
import io.onceflow.saga.Choice;
import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Three steps; four in the second version. */
@ApplicationScoped
public class SuiteDefinition implements Saga<SuiteSaga> {

  private final int version;

  SuiteDefinition(@ConfigProperty(name = "version") int version) {
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
    return saga("suite", 1, step("first"), message(), step("middle"), step("last"));
  }

  private static SagaDefinition<SuiteSaga> second() {
    return saga("suite", 2, step("first"), step("extra"), message(), step("middle"), step("last"));
  }

  private static Step<SuiteSaga> step(String name) {
    return SagaDefinition.step(name)
        .send(DoStep.class, (SuiteSaga saga) -> new DoStep(saga.id, name))
        .compensateWith("undo-" + name, UndoStep.class, saga -> new UndoStep(saga.id, name))
        .replyWithin(ofSeconds(2))
        .attempts(20);
  }

  private static Choice<SuiteSaga> message() {
    return choice("waits")
        .when("yes", (SuiteSaga saga) -> saga.waits, await("message").within(ofMinutes(5)))
        .otherwise();
  }
}
