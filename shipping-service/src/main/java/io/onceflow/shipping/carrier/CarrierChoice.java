package io.onceflow.shipping.carrier;

import io.onceflow.shipping.domain.Carrier;
import io.quarkus.arc.DefaultBean;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Chooses the carrier by {@code onceflow.carrier}. Another bean that is one replaces it. */
@Singleton
class CarrierChoice {

  /** The words of the configuration. */
  enum Kind {
    SIMULATED,
    EASYPOST
  }

  /** At start, so that a service which lacks the carrier's key does not start. */
  @Startup
  @Produces
  @Singleton
  @DefaultBean
  Carrier carrier(
      @ConfigProperty(name = "onceflow.carrier", defaultValue = "simulated") Kind kind,
      Instance<SimulatedCarrier> simulated,
      Instance<EasyPostCarrier> easyPost) {
    return kind == Kind.EASYPOST ? easyPost.get() : simulated.get();
  }
}
