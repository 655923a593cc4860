package io.onceflow.quarkus.deployment;

import io.quarkus.arc.deployment.BuildTimeConditionBuildItem;
import io.quarkus.arc.deployment.IgnoreSplitPackageBuildItem;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.builditem.CombinedIndexBuildItem;
import io.quarkus.deployment.builditem.RunTimeConfigurationDefaultBuildItem;
import java.util.List;
import java.util.Objects;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;

/**
 * Whether the application leads sagas; one that only takes part in them has none of the runtime.
 */
class SagaFeature {

  private static final DotName SAGA = DotName.createSimple("io.onceflow.saga.Saga");

  /** Where the beans and resources of the runtime are. */
  private static final List<String> RUNTIME =
      List.of(
          "io.onceflow.saga.internal.jpa",
          "io.onceflow.saga.internal.messaging",
          "io.onceflow.saga.internal.operators",
          "io.onceflow.saga.internal.overview",
          "io.onceflow.saga.internal.repair",
          "io.onceflow.saga.internal.retention",
          "io.onceflow.saga.internal.runtime",
          "io.onceflow.saga.internal.services",
          "io.onceflow.saga.internal.store",
          "io.onceflow.saga.internal.timeline");

  static boolean areIn(IndexView index) {
    return index.getAllKnownImplementations(SAGA).stream().anyMatch(it -> !it.isAbstract());
  }

  /**
   * One package for applications; its types that need a connection are in the jar of the runtime.
   */
  @BuildStep
  IgnoreSplitPackageBuildItem theApiIsInTwoJars() {
    return new IgnoreSplitPackageBuildItem(List.of("io.onceflow.saga"));
  }

  /** Neither its timers run nor does the application answer under {@code /sagas}. */
  @BuildStep
  void leaveOutTheRuntime(
      CombinedIndexBuildItem index, BuildProducer<BuildTimeConditionBuildItem> conditions) {
    if (areIn(index.getIndex())) {
      return;
    }
    RUNTIME.stream()
        .flatMap(name -> index.getIndex().getClassesInPackage(name).stream())
        .filter(type -> Objects.equals(type.nestingType(), ClassInfo.NestingType.TOP_LEVEL))
        .map(type -> new BuildTimeConditionBuildItem(type, false))
        .forEach(conditions::produce);
  }

  /** The application believes its own replies to the commands that it handles itself. */
  @BuildStep
  void believeOwnReplies(
      CombinedIndexBuildItem index,
      List<HandlerMethodBuildItem> handlers,
      BuildProducer<RunTimeConfigurationDefaultBuildItem> defaults) {
    if (!areIn(index.getIndex())) {
      return;
    }
    OnceflowProcessor.bindings(index.getIndex(), handlers).stream()
        .map(binding -> binding.substring(0, binding.indexOf('.')))
        .map(
            word ->
                new RunTimeConfigurationDefaultBuildItem(
                    "onceflow.saga.replies.participants." + word, "${quarkus.application.name}"))
        .forEach(defaults::produce);
  }
}
