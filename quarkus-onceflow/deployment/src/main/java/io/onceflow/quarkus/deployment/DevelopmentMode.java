package io.onceflow.quarkus.deployment;

import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.deployment.IsLocalDevelopment;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.annotations.BuildSteps;

/** What an application has in development mode alone. */
@BuildSteps(onlyIf = IsLocalDevelopment.class)
class DevelopmentMode {

  private static final String BEANS = "io.onceflow.quarkus.runtime.dev.";

  @BuildStep
  AdditionalBeanBuildItem beans() {
    return AdditionalBeanBuildItem.builder()
        .setUnremovable()
        .addBeanClasses(
            BEANS + "FaultyTransport", BEANS + "MessageFaults", BEANS + "ReloadBeforeMessages")
        .build();
  }
}
