package io.onceflow.payment.gateway;

import io.onceflow.payment.domain.PaymentGateway;
import io.quarkus.arc.DefaultBean;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Chooses the gateway by {@code onceflow.gateway}. */
@Singleton
class GatewayChoice {

  /** The gateways that there are, by the words of the configuration. */
  enum Kind {
    /** Moves no money. */
    SIMULATED,
    /** Moves real money, or that of Stripe's test mode. */
    STRIPE
  }

  /** At start, so that a service which cannot take money does not start. */
  @Startup
  @Produces
  @Singleton
  @DefaultBean
  PaymentGateway gateway(
      @ConfigProperty(name = "onceflow.gateway", defaultValue = "simulated") Kind kind,
      Instance<SimulatedGateway> simulated,
      Instance<StripeGateway> stripe) {
    return kind == Kind.STRIPE ? stripe.get() : simulated.get();
  }
}
