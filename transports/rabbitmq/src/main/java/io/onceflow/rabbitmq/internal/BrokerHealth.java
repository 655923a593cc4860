package io.onceflow.rabbitmq.internal;

import io.quarkus.arc.properties.UnlessBuildProperty;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;
import org.jspecify.annotations.Nullable;

/**
 * Not ready while the broker refuses this service, or this service the broker's certificate: an
 * operator has to correct that, and a rollout must not continue. While the broker is only away the
 * service is ready: requests are answered, and their messages wait in the outbox. An application
 * that connects to no broker is ready.
 */
@Readiness
@ApplicationScoped
@UnlessBuildProperty(name = "onceflow.transport", stringValue = "local", enableIfMissing = true)
@UnlessBuildProperty(name = "onceflow.transport", stringValue = "kafka", enableIfMissing = true)
class BrokerHealth implements HealthCheck {

  private volatile @Nullable BrokerConnection broker;

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
    watched.topology().warnings().all().ifPresent(why -> response.withData("queues", why));
    return response.status(watched.refusal().isEmpty()).build();
  }
}
