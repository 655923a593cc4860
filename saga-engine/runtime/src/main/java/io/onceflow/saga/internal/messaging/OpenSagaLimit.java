package io.onceflow.saga.internal.messaging;

import io.onceflow.core.internal.Backpressure;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.internal.runtime.SagaConfig;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.view.OpenSagas;
import io.onceflow.saga.internal.store.view.OpenTimers;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;

/**
 * How many sagas are under way, so that orders are shed rather than wait in queues. Each saga has
 * one message in transit at most, so this bounds the outboxes and queues of all services. Stuck
 * ones, and those in quarantine, are not counted: they wait for an operator.
 */
@ApplicationScoped
class OpenSagaLimit implements Backpressure {

  private final UnitOfWork unitOfWork;
  private final long bound;
  private final OpenTimers timers;

  OpenSagaLimit(UnitOfWork unitOfWork, SagaConfig config, SagaRunners sagas) {
    this.timers = sagas.openTimers();
    this.unitOfWork = unitOfWork;
    this.bound = config.mostUnderWay();
  }

  @Override
  public String name() {
    return "sagas";
  }

  @Override
  public long bound() {
    return bound;
  }

  @Override
  public long waiting() throws SQLException {
    return waiting(Long.MAX_VALUE).all();
  }

  @Override
  public Waiting waiting(long least) throws SQLException {
    OpenSagas.UnderWay now =
        unitOfWork.call(tx -> OpenSagas.underWay(tx.connection(), timers, bound, least));
    return new Waiting(now.all(), now.byScope());
  }
}
