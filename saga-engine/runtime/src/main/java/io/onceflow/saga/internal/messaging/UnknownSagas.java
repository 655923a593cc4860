package io.onceflow.saga.internal.messaging;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.saga.internal.overview.Overviews;
import io.onceflow.saga.internal.runtime.DeferredReplies;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.view.OpenSagas;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;
import org.jspecify.annotations.Nullable;

/**
 * Reports the sagas under way that this replica does not know, and the replies that wait for a
 * replica which knows them. The replica is ready nevertheless: it serves every other saga. Counted
 * at intervals; while the database is unavailable there is no value.
 */
@Readiness
@ApplicationScoped
public class UnknownSagas implements HealthCheck {

  /** Counting more than this would cost more than the number is worth. */
  private static final int MOST_COUNTED = 10_000;

  private final SagaRunners sagas;
  private final DeferredReplies deferred;
  private final Overviews overviews;
  private volatile @Nullable Counted counted;

  private record Counted(List<OpenSagas.Version> unknown, DeferredReplies.Backlog deferred) {

    double sagas() {
      return unknown.stream().mapToLong(OpenSagas.Version::count).sum();
    }
  }

  UnknownSagas(
      SagaRunners sagas, DeferredReplies deferred, Overviews overviews, MeterRegistry registry) {
    this.sagas = sagas;
    this.deferred = deferred;
    this.overviews = overviews;
    Gauge.builder("onceflow.sagas.unknown", () -> counted(Counted::sagas))
        .description("Open sagas that this replica does not know; see the other replicas")
        .register(registry);
    Gauge.builder("onceflow.replies.deferred.waiting", () -> counted(it -> it.deferred().waiting()))
        .description("Replies that wait for a replica that knows them; the same on every replica")
        .register(registry);
    Gauge.builder(
            "onceflow.replies.deferred.age", () -> counted(it -> it.deferred().oldestSeconds()))
        .description("How long the oldest deferred reply has waited; the same on every replica")
        .baseUnit("seconds")
        .register(registry);
  }

  private @Nullable Double counted(ToDoubleFunction<Counted> number) {
    @Nullable Counted now = counted;
    return now == null ? null : number.applyAsDouble(now);
  }

  /** Called as often as the other numbers of open sagas are counted. */
  public void count() throws SQLException {
    try {
      counted =
          new Counted(
              sagas.unknown(overviews.counted().open().versions()), deferred.backlog(MOST_COUNTED));
    } catch (SQLException | RuntimeException | Error e) {
      counted = null;
      throw e;
    }
  }

  @Override
  public HealthCheckResponse call() {
    @Nullable Counted now = counted;
    HealthCheckResponseBuilder health = HealthCheckResponse.named("saga definitions").up();
    if (now != null && !now.unknown().isEmpty()) {
      health
          .withData("degraded", "sagas of newer builds are left to replicas that know them")
          .withData(
              "unknown",
              now.unknown().stream()
                  .map(OpenSagas.Version::toString)
                  .collect(Collectors.joining(", ")));
    }
    return health.build();
  }
}
