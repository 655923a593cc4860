package io.onceflow.quarkus.deployment;

import io.quarkus.runtime.annotations.ConfigPhase;
import io.quarkus.runtime.annotations.ConfigRoot;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Which REST resources for operators an application has; fixed when it is built. */
@ConfigMapping(prefix = "onceflow.operators")
@ConfigRoot(phase = ConfigPhase.BUILD_TIME)
public interface OperatorsBuildConfig {

  /** Messages that could not be handled. */
  ParkedMessages parkedMessages();

  /** Messages that could not be handled. */
  interface ParkedMessages {

    /**
     * Whether callers with the role {@code operator} may list, read, edit, redrive and delete
     * parked messages under {@code /parked-messages}, and those with the role {@code viewer} see
     * what is parked, but not what it holds.
     */
    @WithDefault("true")
    boolean enabled();
  }
}
