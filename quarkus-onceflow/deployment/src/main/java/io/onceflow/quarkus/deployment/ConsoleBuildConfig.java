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

  /** Signing in at an OpenID Connect issuer. */
  SignIn signIn();

  /** Signing in at an OpenID Connect issuer. */
  interface SignIn {

    /**
     * Whether users of the console may sign in by quarkus-oidc, which has to be a dependency of the
     * application. They can where {@code quarkus.oidc.auth-server-url} is set when the application
     * starts; without it nothing changes. The other settings of {@code quarkus.oidc} get defaults
     * for the console: {@code docs/operations/console.md} has them.
     */
    @WithDefault("false")
    boolean enabled();
  }
}
