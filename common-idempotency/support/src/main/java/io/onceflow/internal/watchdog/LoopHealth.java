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
 * DOWN when a loop has not ended a turn for far longer than its interval: its thread has died or
 * hangs, and a restart helps. While the database does not answer, and for as long afterwards, a
 * silent loop does not count.
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
   * The response.
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
