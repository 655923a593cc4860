package io.onceflow.internal.retention;

import io.smallrye.health.api.Wellness;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;

/**
 * Tells when garbage collection falls behind: at {@code /q/health/well}, for people and monitors. A
 * wellness check, since a table that grows is no reason to restart the process or to take it out of
 * traffic: liveness, readiness and start-up, which orchestrators ask, do not know of it.
 */
@Wellness
@ApplicationScoped
class GarbageHealth implements HealthCheck {

  private final GarbageCollection collection;

  GarbageHealth(GarbageCollection collection) {
    this.collection = collection;
  }

  @Override
  public HealthCheckResponse call() {
    HealthCheckResponseBuilder response = HealthCheckResponse.named("garbage-collection");
    boolean isWell = true;
    for (CollectionProgress progress : collection.progress()) {
      String table = progress.table();
      response.withData(table + ".backlog", progress.backlog().rows());
      response.withData(table + ".oldestAgeSeconds", progress.oldest().toSeconds());
      var warning = progress.warning();
      warning.ifPresent(text -> response.withData(table + ".warning", text));
      isWell &= warning.isEmpty();
    }
    return response.status(isWell).build();
  }
}
