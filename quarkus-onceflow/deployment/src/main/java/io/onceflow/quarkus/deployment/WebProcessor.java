package io.onceflow.quarkus.deployment;

import io.quarkus.arc.deployment.ExcludedTypeBuildItem;
import io.quarkus.deployment.Capabilities;
import io.quarkus.deployment.Capability;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.builditem.CombinedIndexBuildItem;
import org.jboss.jandex.DotName;

/** Leaves out the beans of {@code onceflow-web} that need a library the application has not. */
class WebProcessor {

  private static final DotName READS_TOKENS =
      DotName.createSimple("io.smallrye.jwt.auth.principal.JWTCallerPrincipalFactory");

  private static final String TOKENS = "io.onceflow.web.internal.tokens.";
  private static final String VERIFIED_TOKENS = TOKENS + "VerifiedTokens";

  /** The keys that SmallRye JWT checks tokens with; an application may check them otherwise. */
  @BuildStep
  void leaveOutTokenKeys(Capabilities capabilities, BuildProducer<ExcludedTypeBuildItem> excluded) {
    if (capabilities.isMissing(Capability.JWT)) {
      excluded.produce(new ExcludedTypeBuildItem(TOKENS + "TokenKeys"));
      // Not a bean; of every class that it knows, Arc looks the superclass up nevertheless.
      excluded.produce(new ExcludedTypeBuildItem(TOKENS + "TokenKeys$Keys"));
    }
  }

  /** An application that reads tokens in a way of its own continues doing so, with each request. */
  @BuildStep
  void leaveTokensToTheApplication(
      Capabilities capabilities,
      CombinedIndexBuildItem index,
      BuildProducer<ExcludedTypeBuildItem> excluded) {
    boolean hasItsOwn =
        index.getIndex().getAllKnownSubclasses(READS_TOKENS).stream()
            .map(type -> type.name().toString())
            .anyMatch(name -> !name.equals(VERIFIED_TOKENS) && !name.startsWith("io.smallrye."));
    if (hasItsOwn || capabilities.isMissing(Capability.JWT)) {
      excluded.produce(new ExcludedTypeBuildItem(VERIFIED_TOKENS));
    }
  }
}
