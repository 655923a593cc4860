package io.onceflow.saga.internal.messaging;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.internal.runtime.DeferredReplies;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.view.OpenSagas;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Reports the sagas under way that this replica does not know, and the replies that wait for a
 * replica which knows them. The replica is ready nevertheless: it serves every other saga. Counted
 * at intervals; while the database is unavailable there is no value.
 */
@Readiness
@ApplicationScoped
public class UnknownSagas implements HealthCheck {

  private static final Logger LOG = Logger.getLogger(UnknownSagas.class);

  /** Counting more than this would cost more than the number is worth. */
  private static final int MOST_COUNTED = 10_000;

  private final SagaRunners sagas;
  private final DeferredReplies deferred;
  private final UnitOfWork unitOfWork;
  private volatile @Nullable Counted counted;

  private record Counted(List<OpenSagas.Version> unknown, DeferredReplies.Backlog deferred) {

    double sagas() {
      return unknown.stream().mapToLong(OpenSagas.Version::count).sum();
    }
  }

  UnknownSagas(
      SagaRunners sagas, DeferredReplies deferred, UnitOfWork unitOfWork, MeterRegistry registry) {
    this.sagas = sagas;
    this.deferred = deferred;
    this.unitOfWork = unitOfWork;
    Gauge.builder("onceflow.sagas.unknown", () -> told(Counted::sagas))
        .description("Sagas under way that this replica does not know; see the other replicas")
        .register(registry);
    Gauge.builder("onceflow.replies.deferred.waiting", () -> told(it -> it.deferred().waiting()))
        .description("Replies that wait for a replica that knows them; the same on every replica")
        .register(registry);
    Gauge.builder("onceflow.replies.deferred.age", () -> told(it -> it.deferred().oldestSeconds()))
        .description("How long the oldest deferred reply has waited; the same on every replica")
        .baseUnit("seconds")
        .register(registry);
  }

  private @Nullable Double told(ToDoubleFunction<Counted> number) {
    @Nullable Counted now = counted;
    return now == null ? null : number.applyAsDouble(now);
  }

  /** As often as dashboards are looked at. */
  @Scheduled(every = "10s", concurrentExecution = ConcurrentExecution.SKIP)
  public void count() {
    try {
      counted =
          new Counted(unitOfWork.call(sagas::unknownVersions), deferred.backlog(MOST_COUNTED));
    } catch (SQLException | RuntimeException e) {
      counted = null;
      LOG.debugf(e, "unknown sagas cannot be counted");
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
