package io.onceflow.quarkus.deployment;

import io.quarkus.runtime.annotations.ConfigPhase;
import io.quarkus.runtime.annotations.ConfigRoot;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** The operators' page; fixed when the application is built. */
@ConfigMapping(prefix = "onceflow.console")
@ConfigRoot(phase = ConfigPhase.BUILD_TIME)
public interface ConsoleBuildConfig {

  /**
   * Whether an application that leads sagas serves the operators' page under {@code /console}. What
   * the page shows comes from the application's REST resources, which are there in either case.
   */
  @WithDefault("true")
  boolean enabled();
}
