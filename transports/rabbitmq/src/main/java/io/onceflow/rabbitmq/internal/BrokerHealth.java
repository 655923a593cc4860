package io.onceflow.rabbitmq.internal;

import io.quarkus.arc.properties.UnlessBuildProperty;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;
import org.jspecify.annotations.Nullable;

/**
 * Not ready while the broker refuses this service, or this service the broker: an operator has to
 * put that right, and a rollout of it must not go on. A broker that is away is another thing:
 * requests are answered meanwhile, and their messages wait in the outbox. Ready in an application
 * that connects to no broker.
 */
@Readiness
@ApplicationScoped
@UnlessBuildProperty(name = "onceflow.transport", stringValue = "local", enableIfMissing = true)
class BrokerHealth implements HealthCheck {

  private volatile @Nullable BrokerConnection broker;

  /** A check of this connection. */
  static BrokerHealth of(BrokerConnection connection) {
    BrokerHealth health = new BrokerHealth();
    health.watch(connection);
    return health;
  }

  /** Reports on this connection from now on. */
  void watch(BrokerConnection connection) {
    broker = connection;
  }

  @Override
  public HealthCheckResponse call() {
    HealthCheckResponseBuilder response = HealthCheckResponse.named("broker");
    BrokerConnection watched = broker;
    if (watched == null) {
      return response.up().build();
    }
    watched.refusal().ifPresent(why -> response.withData("refusal", why));
    watched.blocked().ifPresent(why -> response.withData("blocked", why));
    return response.status(watched.refusal().isEmpty()).build();
  }
}
