package io.onceflow.saga.internal.messaging;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.internal.runtime.DefinitionWatch;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.version.DefinitionShapes;
import io.onceflow.saga.internal.store.version.SagaShapeChanged;
import io.onceflow.saga.internal.store.view.OpenSagas;
import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * Before anything is consumed, compares the sagas under way with the definitions of this build. A
 * build that has dropped a version which sagas still follow, or has changed the steps of one, does
 * not start. Sagas of newer versions are left to the replicas that know them, so that a release can
 * be rolled back.
 */
@ApplicationScoped
public class VersionCheck {

  private static final Logger LOG = Logger.getLogger(VersionCheck.class);

  /** Before the platform's observers, of which messaging is one. */
  private static final int FIRST = 1;

  private final SagaRunners sagas;
  private final UnitOfWork unitOfWork;
  private final DefinitionWatch definitions;

  VersionCheck(SagaRunners sagas, UnitOfWork unitOfWork, DefinitionWatch definitions) {
    this.sagas = sagas;
    this.unitOfWork = unitOfWork;
    this.definitions = definitions;
  }

  /** At the start. */
  public void check(@Observes @Priority(FIRST) StartupEvent starting) throws SQLException {
    List<OpenSagas.Version> newer = unitOfWork.call(sagas::checkVersions);
    unitOfWork.run(tx -> checkShapes(tx, LaunchMode.current() == LaunchMode.NORMAL));
    definitions.start();
    if (!newer.isEmpty()) {
      LOG.warnf(
          "there are open sagas that only newer builds know: %s. This replica does not handle them and"
              + " defers replies to them; a replica that knows them has to run for them to end"
              + " (docs/operations/operations.md#versions)",
          newer.stream().map(OpenSagas.Version::toString).collect(Collectors.joining(", ")));
    }
  }

  /** In development and tests steps change often, and a database is made again in a moment. */
  void checkShapes(Transaction tx, boolean isProduction) throws SQLException {
    for (DefinitionShapes.Changed changed :
        DefinitionShapes.remember(tx.connection(), sagas.definitions())) {
      SagaShapeChanged why = new SagaShapeChanged(changed);
      if (isProduction) {
        throw why;
      }
      DefinitionShapes.replace(tx.connection(), changed);
      LOG.warnf(
          "%s In production this build would not start; here its open sagas continue with the steps"
              + " that it has.",
          why.getMessage());
    }
  }
}
