package io.onceflow.internal.watchdog;

import io.onceflow.internal.database.DatabaseWatch;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Collection;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Liveness;

/**
 * Not alive when a loop has been silent for far longer than its interval: its thread has died or
 * hangs, and a restart is what helps. While the database does not answer, and for as long after, a
 * silent loop is no reason to restart.
 */
@Liveness
@ApplicationScoped
class LoopHealth implements HealthCheck {

  private final DatabaseWatch database;

  LoopHealth(DatabaseWatch database) {
    this.database = database;
  }

  @Override
  public HealthCheckResponse call() {
    return of(LoopWatch.running(), database.answeringFor());
  }

  /**
   * What is told.
   *
   * @param answeringFor how long the database has answered without a gap
   */
  static HealthCheckResponse of(Collection<LoopWatch> loops, Duration answeringFor) {
    HealthCheckResponseBuilder response = HealthCheckResponse.named("loops");
    boolean isAlive = true;
    for (LoopWatch watch : loops) {
      if (watch.isSilent() && answeringFor.compareTo(watch.bound()) > 0) {
        response.withData(watch.loop() + ".lastTurnSecondsAgo", watch.age().toSeconds());
        isAlive = false;
      }
    }
    return response.status(isAlive).build();
  }
}
