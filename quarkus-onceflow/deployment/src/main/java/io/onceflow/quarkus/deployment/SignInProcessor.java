package io.onceflow.quarkus.deployment;

import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.arc.deployment.ValidationPhaseBuildItem.ValidationErrorBuildItem;
import io.quarkus.deployment.Capabilities;
import io.quarkus.deployment.Capability;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.builditem.AdditionalIndexedClassesBuildItem;
import io.quarkus.deployment.builditem.RunTimeConfigurationDefaultBuildItem;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.vertx.http.deployment.HttpRootPathBuildItem;
import java.util.Map;
import java.util.stream.Stream;

/** Signs the console's users in by quarkus-oidc, where the application asks for that. */
class SignInProcessor {

  private static final String SIGN_IN = "io.onceflow.console.internal.signin.";

  @BuildStep
  void requireExtension(
      ConsoleBuildConfig config,
      Capabilities capabilities,
      BuildProducer<ValidationErrorBuildItem> errors) {
    if (isAsked(config) && capabilities.isMissing(Capability.OIDC)) {
      errors.produce(
          new ValidationErrorBuildItem(
              new ConfigurationException(
                  "onceflow.console.sign-in.enabled is true, but quarkus-oidc is missing: add"
                      + " io.quarkus:quarkus-oidc to the application's dependencies, or remove the"
                      + " setting.")));
    }
  }

  @BuildStep
  void beans(
      ConsoleBuildConfig config,
      Capabilities capabilities,
      BuildProducer<AdditionalIndexedClassesBuildItem> indexed,
      BuildProducer<AdditionalBeanBuildItem> beans) {
    if (!isAsked(config) || capabilities.isMissing(Capability.OIDC)) {
      return;
    }
    indexed.produce(new AdditionalIndexedClassesBuildItem(SIGN_IN + "CsrfProblem"));
    Stream.of(
            "CallerToken",
            "CookieSessions",
            "CsrfProblem",
            "CsrfTokens",
            "DefaultTenantOnly",
            "OtherMechanisms",
            "SignInRoutes",
            "SignInSettings")
        .forEach(name -> beans.produce(AdditionalBeanBuildItem.unremovableOf(SIGN_IN + name)));
  }

  /** What the console needs of quarkus-oidc; a setting of the application wins. */
  @BuildStep
  void defaults(
      ConsoleBuildConfig config,
      HttpRootPathBuildItem root,
      BuildProducer<RunTimeConfigurationDefaultBuildItem> defaults) {
    if (isAsked(config)) {
      defaultsOf(root.resolvePath("console"))
          .forEach(
              (key, value) ->
                  defaults.produce(
                      new RunTimeConfigurationDefaultBuildItem("quarkus.oidc." + key, value)));
    }
  }

  private static Map<String, String> defaultsOf(String console) {
    return Map.ofEntries(
        Map.entry("application-type", "hybrid"),
        Map.entry("client-id", "onceflow"),
        Map.entry("authentication.redirect-path", console + "/sign-in/oidc"),
        Map.entry("authentication.restore-path-after-redirect", "true"),
        Map.entry("authentication.error-path", console + "/sign-in"),
        Map.entry("authentication.cookie-force-secure", "true"),
        Map.entry("authentication.pkce-required", "true"),
        Map.entry("authentication.nonce-required", "true"),
        Map.entry("authentication.session-age-extension", "30M"),
        Map.entry("token.refresh-expired", "true"),
        Map.entry(
            "token.audience", "${mp.jwt.verify.audiences:onceflow},${quarkus.oidc.client-id}"),
        Map.entry("roles.source", "accesstoken"),
        Map.entry("roles.role-claim-path", "groups,realm_access/roles"),
        Map.entry("logout.path", console + "/sign-out"),
        Map.entry("logout.post-logout-path", console + "/sign-in"));
  }

  private static boolean isAsked(ConsoleBuildConfig config) {
    return config.enabled() && config.signIn().enabled();
  }
}
