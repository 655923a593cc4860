package io.onceflow.internal.database;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/**
 * Not ready while the database has not answered for some seconds. It reports what {@link
 * DatabaseWatch} saw, so it takes no connection and never waits.
 */
@Readiness
@ApplicationScoped
class DatabaseHealth implements HealthCheck {

  private final DatabaseWatch watch;

  DatabaseHealth(DatabaseWatch watch) {
    this.watch = watch;
  }

  void register(@Observes StartupEvent starting, MeterRegistry registry) {
    Gauge.builder("onceflow.database.answered.age", () -> watch.age().toMillis() / 1000.0)
        .description("How long ago the database last answered, on this replica")
        .baseUnit("seconds")
        .register(registry);
    FunctionCounter.builder("onceflow.database.clock.steps", watch, DatabaseWatch::clockSteps)
        .description("How often PostgreSQL's clock was set forward or back, seen by this replica")
        .register(registry);
  }

  @Override
  public HealthCheckResponse call() {
    HealthCheckResponseBuilder response = HealthCheckResponse.named("database");
    boolean isAnswering = watch.isAnswering();
    if (!isAnswering) {
      response.withData("answeredSecondsAgo", watch.age().toSeconds());
      response.withData("failure", watch.failure());
    }
    return response.status(isAnswering).build();
  }
}
