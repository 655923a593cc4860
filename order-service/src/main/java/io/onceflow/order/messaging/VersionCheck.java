package io.onceflow.order.messaging;

import io.onceflow.order.saga.SagaRunners;
import io.onceflow.outbox.UnitOfWork;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.sql.SQLException;

/** Refuses to start beside sagas that this build could not move on, before anything is consumed. */
@ApplicationScoped
class VersionCheck {

  /** Before the platform's observers, of which messaging is one. */
  private static final int FIRST = 1;

  private final SagaRunners sagas;
  private final UnitOfWork unitOfWork;

  VersionCheck(SagaRunners sagas, UnitOfWork unitOfWork) {
    this.sagas = sagas;
    this.unitOfWork = unitOfWork;
  }

  void check(@Observes @Priority(FIRST) StartupEvent starting) throws SQLException {
    unitOfWork.call(
        tx -> {
          sagas.checkVersions(tx);
          return tx;
        });
  }
}
