package io.onceflow.quarkus.deployment.devservices;

import io.quarkus.deployment.IsDevServicesSupportedByLaunchMode;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.annotations.BuildSteps;
import io.quarkus.deployment.builditem.DevServicesResultBuildItem;
import io.quarkus.deployment.builditem.LaunchModeBuildItem;
import io.quarkus.deployment.builditem.RunTimeConfigurationDefaultBuildItem;
import io.quarkus.runtime.LaunchMode;
import java.util.List;
import java.util.Set;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jboss.logging.Logger;

/**
 * Tokens of a customer and of an operator, for an application with {@code quarkus-smallrye-jwt} and
 * no keys. Quarkus makes a key pair for it, with which they are signed.
 */
@BuildSteps(onlyIf = IsDevServicesSupportedByLaunchMode.class)
class DevTokens {

  private static final Logger LOG = Logger.getLogger(DevTokens.class);

  private static final String CUSTOMER = "alice";
  private static final String OPERATOR = "olga";
  private static final String OPERATOR_ROLE = "operator";

  @BuildStep
  void handOut(
      OnceflowDevServicesConfig config,
      LaunchModeBuildItem launch,
      List<DevServicesResultBuildItem> services,
      BuildProducer<RunTimeConfigurationDefaultBuildItem> defaults) {
    if (!config.enabled()) {
      return;
    }
    Config application = ConfigProvider.getConfig();
    services.stream()
        .map(DevServicesResultBuildItem::getConfig)
        .flatMap(settings -> DevTokenSigner.of(settings, application).stream())
        .findFirst()
        .ifPresent(
            signer -> {
              String operator = signer.sign(OPERATOR, Set.of(OPERATOR_ROLE));
              defaults.produce(token("customer", signer.sign(CUSTOMER, Set.of())));
              defaults.produce(token("operator", operator));
              if (launch.getLaunchMode() == LaunchMode.DEVELOPMENT) {
                log(operator, application);
              }
            });
  }

  private static RunTimeConfigurationDefaultBuildItem token(String role, String token) {
    return new RunTimeConfigurationDefaultBuildItem("onceflow.dev-tokens." + role, token);
  }

  private static void log(String operator, Config application) {
    LOG.infof(
        """
        Dev Services of Onceflow: the Dev UI shows tokens of %s, a customer, and %s, an operator, \
        which are valid for a day. As the operator:
        curl -H 'Authorization: Bearer %s' http://localhost:%s/parked-messages""",
        CUSTOMER,
        OPERATOR,
        operator,
        application.getOptionalValue("quarkus.http.port", String.class).orElse("8080"));
  }
}
