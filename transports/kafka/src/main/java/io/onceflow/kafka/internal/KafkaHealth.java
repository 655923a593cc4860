package io.onceflow.kafka.internal;

import io.quarkus.arc.properties.IfBuildProperty;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/**
 * Not ready while Kafka refuses this service or lacks a topic: an operator has to correct that, and
 * a rollout must not continue. While Kafka is only away the service is ready: requests are
 * answered, and their messages wait in the outbox.
 */
@Readiness
@ApplicationScoped
@IfBuildProperty(name = "onceflow.transport", stringValue = "kafka")
class KafkaHealth implements HealthCheck {

  private final KafkaState state;

  KafkaHealth(KafkaState state) {
    this.state = state;
  }

  @Override
  public HealthCheckResponse call() {
    HealthCheckResponseBuilder response = HealthCheckResponse.named("broker");
    state.refusal().ifPresent(why -> response.withData("refusal", why));
    return response.status(state.refusal().isEmpty()).build();
  }
}
