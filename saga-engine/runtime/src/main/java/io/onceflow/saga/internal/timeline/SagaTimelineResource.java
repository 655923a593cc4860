package io.onceflow.saga.internal.timeline;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.operators.CallingOperator;
import io.onceflow.saga.internal.operators.Roles;
import io.onceflow.saga.internal.operators.SagaProblem;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.view.SagaWithHistory;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Shows where the time of a saga went, across services. */
@Path("/sagas/{id}/timeline")
@RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
@Tag(name = "Sagas")
@Produces(MediaType.APPLICATION_JSON)
public class SagaTimelineResource {

  private final SagaRunners sagas;
  private final UnitOfWork unitOfWork;
  private final StepReports reports;
  private final SecurityIdentity caller;

  SagaTimelineResource(
      SagaRunners sagas, UnitOfWork unitOfWork, StepReports reports, SecurityIdentity caller) {
    this.sagas = sagas;
    this.unitOfWork = sagas.transactions(unitOfWork);
    this.reports = reports;
    this.caller = caller;
  }

  /** The steps of one saga in time. No transaction is open while other services are asked. */
  @GET
  @Operation(
      summary = "Read when each step of a saga was sent, arrived, began and was answered",
      description =
          "Joins the saga's history with what the services of `onceflow.services` and the"
              + " application's own inbox know. A service that does not answer within two seconds"
              + " is named with the reason, and its times are null. Clocks of services may differ.")
  @APIResponse(responseCode = "200", description = "The timeline")
  @APIResponse(responseCode = "404", description = "There is no such saga")
  public SagaTimeline timeline(@PathParam("id") UUID id) throws SQLException {
    SagaWithHistory saga = unitOfWork.call(tx -> find(tx, id));
    List<TimelineStep> journal =
        JournalSteps.of(
            saga.history(),
            ExpectedServices.of(definition(saga), saga.saga(), sagas.replyPolicy()));
    List<String> names =
        journal.stream().filter(step -> !step.local()).map(TimelineStep::name).toList();
    return SagaTimeline.of(
        id,
        journal,
        reports.of(saga.saga().origin(), names, CallingOperator.of(caller).token()),
        reports.self());
  }

  private Optional<? extends SagaDefinition<?>> definition(SagaWithHistory saga) {
    SagaState state = saga.saga().reached();
    return sagas.definitions().stream()
        .filter(it -> it.name().equals(state.definition()) && it.version() == state.version())
        .findFirst();
  }

  private SagaWithHistory find(Transaction tx, UUID id) throws SQLException {
    return SagaProblem.read(id, () -> sagas.find(tx, id));
  }
}
