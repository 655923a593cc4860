package io.onceflow.rabbitmq;

import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;

/**
 * Not ready while the broker refuses this service, or this service the broker: somebody has to put
 * that right, and a rollout of it must not go on. A broker that is away is another thing: orders
 * are taken on trust meanwhile, and their messages wait in the outbox.
 */
final class BrokerHealth implements HealthCheck {

  private final BrokerConnection broker;

  BrokerHealth(BrokerConnection broker) {
    this.broker = broker;
  }

  @Override
  public HealthCheckResponse call() {
    HealthCheckResponseBuilder response = HealthCheckResponse.named("broker");
    broker.refusal().ifPresent(why -> response.withData("refusal", why));
    broker.blocked().ifPresent(why -> response.withData("blocked", why));
    return response.status(broker.refusal().isEmpty()).build();
  }
}
