package io.onceflow.quarkus.deployment;

import io.quarkus.arc.deployment.ExcludedTypeBuildItem;
import io.quarkus.deployment.Capabilities;
import io.quarkus.deployment.Capability;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;

/** Leaves out the beans of {@code onceflow-web} that need a library the application has not. */
class WebProcessor {

  /** The keys that SmallRye JWT checks tokens with; an application may check them otherwise. */
  @BuildStep
  void leaveOutTokenKeys(Capabilities capabilities, BuildProducer<ExcludedTypeBuildItem> excluded) {
    if (capabilities.isMissing(Capability.JWT)) {
      excluded.produce(new ExcludedTypeBuildItem("io.onceflow.web.internal.tokens.TokenKeys"));
      excluded.produce(new ExcludedTypeBuildItem("io.onceflow.web.internal.tokens.VerifiedTokens"));
    }
  }
}
