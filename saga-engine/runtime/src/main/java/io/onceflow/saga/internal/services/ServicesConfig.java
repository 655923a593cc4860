package io.onceflow.saga.internal.services;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithParentName;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/** Where the other services are, for the operators' page of the orchestrator. */
@ConfigMapping(prefix = "onceflow.services")
public interface ServicesConfig {

  /**
   * Base URL of another service by its name, such as {@code http://payment-service:8081}. The
   * orchestrator asks it on behalf of operators, and sends it their tokens: list only services that
   * accept the same tokens. One that is empty counts as not listed; a name with a dash that is
   * listed so in {@code application.properties} can be set from the environment, as {@code
   * ONCEFLOW_SERVICES_PAYMENT_SERVICE}.
   */
  @WithParentName
  Map<String, Optional<URI>> urls();
}
