package io.onceflow.saga.internal.operators;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.Step;
import io.onceflow.saga.Wait;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.StepState;
import io.onceflow.saga.internal.runtime.SagaConfig;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.SagaAttributes;
import io.onceflow.saga.internal.store.SagaOrigin;
import io.onceflow.saga.internal.store.StoredSaga;
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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Shows one saga with all that an operator has to know before acting on it. */
@Path("/sagas/{id}")
@RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
@Tag(name = "Sagas")
@Produces(MediaType.APPLICATION_JSON)
public class SagaDetailsResource {

  private static final int TRACE_ID_AT = 3;
  private static final int TRACE_ID_END = 35;

  private final SagaRunners sagas;
  private final UnitOfWork unitOfWork;
  private final SagaConfig config;
  private final SecurityIdentity caller;
  private final ActionForesight actions;

  SagaDetailsResource(
      SagaRunners sagas, UnitOfWork unitOfWork, SagaConfig config, SecurityIdentity caller) {
    this.sagas = sagas;
    this.unitOfWork = sagas.transactions(unitOfWork);
    this.config = config;
    this.caller = caller;
    this.actions = new ActionForesight(sagas);
  }

  /** One saga, what it waits for and what can be done about it. */
  @GET
  @Path("/details")
  @Operation(
      summary = "Read a saga with what it waits for, and the effect of each action",
      description =
          "Callers with the role `viewer` see no customer, no root key and no step keys: `hidden`"
              + " is true then.")
  @APIResponse(responseCode = "200", description = "The saga")
  @APIResponse(responseCode = "404", description = "There is no such saga")
  public SagaDetails details(@PathParam("id") UUID id) throws SQLException {
    return unitOfWork.call(tx -> details(tx, id));
  }

  /** The messages of a saga that are still kept. */
  @GET
  @Path("/messages")
  @Operation(
      summary = "Read the commands of a saga that may be sent again",
      description = "What was answered is not kept here; the participants keep their answers.")
  @APIResponse(responseCode = "200", description = "In the order of the steps")
  @APIResponse(responseCode = "404", description = "There is no such saga")
  public List<SagaMessageView> messages(@PathParam("id") UUID id) throws SQLException {
    return unitOfWork.call(
        tx -> {
          StoredSaga saga = find(tx, id).saga();
          return SagaMessageView.of(
              saga,
              localSteps(saga),
              sagas.rendered(tx, saga),
              Roles.seesPersonalData(caller),
              sagas.replyPolicy());
        });
  }

  private Set<String> localSteps(StoredSaga saga) {
    SagaState reached = saga.reached();
    return sagas.definitions().stream()
        .filter(it -> it.name().equals(reached.definition()) && it.version() == reached.version())
        .flatMap(it -> it.steps().stream())
        .filter(step -> !(step instanceof Step.Send))
        .map(Step::name)
        .collect(Collectors.toSet());
  }

  private SagaDetails details(Transaction tx, UUID id) throws SQLException {
    SagaWithHistory found = find(tx, id);
    SagaView view = sagas.show(found);
    SagaOrigin origin = found.saga().origin();
    boolean isAllSeen = Roles.seesPersonalData(caller);
    Optional<String> trace = traceId(origin.traceparent());
    return new SagaDetails(
        isAllSeen ? view : view.withoutPersonalData(),
        origin.subjectId(),
        isAllSeen ? origin.scope() : null,
        isAllSeen ? origin.rootKey() : null,
        isAllSeen ? attributes(tx, id) : null,
        !isAllSeen,
        origin.origin(),
        trace.orElse(null),
        trace.flatMap(this::traceUrl).orElse(null),
        WaitingSentence.of(
            isAllSeen ? found : found.withoutPersonalData(),
            sagas.followedBy(found.saga().reached()),
            sagas.replyPolicy()::participantOf),
        approvals(found.saga().reached()),
        actions.of(found.saga()));
  }

  private List<SagaDetails.OpenApproval> approvals(SagaState saga) {
    return saga.steps().stream()
        .filter(step -> step.status() == StepStatus.AWAITING)
        .flatMap(step -> approval(saga, step).stream())
        .toList();
  }

  private Optional<SagaDetails.OpenApproval> approval(SagaState saga, StepState step) {
    return sagas
        .followedBy(saga)
        .<Wait<?>>flatMap(definition -> definition.waitNamed(step.name()))
        .flatMap(Wait::approval)
        .map(
            asked ->
                new SagaDetails.OpenApproval(
                    step.name(),
                    asked.role(),
                    asked.approvers(),
                    step.outcome(),
                    step.dueAt(),
                    caller.hasRole(asked.role())));
  }

  private static Map<String, String> attributes(Transaction tx, UUID id) throws SQLException {
    return SagaAttributes.find(tx.connection(), List.of(id)).getOrDefault(id, Map.of());
  }

  private SagaWithHistory find(Transaction tx, UUID id) throws SQLException {
    return SagaProblem.read(id, () -> sagas.find(tx, id));
  }

  private Optional<String> traceUrl(String traceId) {
    return config.traceUrl().map(url -> url.replace("{traceId}", traceId));
  }

  private static Optional<String> traceId(@Nullable String traceparent) {
    return traceparent == null || traceparent.length() < TRACE_ID_END
        ? Optional.empty()
        : Optional.of(traceparent.substring(TRACE_ID_AT, TRACE_ID_END));
  }
}
