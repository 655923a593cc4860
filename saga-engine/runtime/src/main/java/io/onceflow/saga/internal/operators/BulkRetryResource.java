package io.onceflow.saga.internal.operators;

import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.view.OperatorAnswer;
import io.onceflow.saga.internal.store.view.SagaFilter;
import io.onceflow.saga.internal.store.view.SagaList;
import io.onceflow.saga.internal.store.view.SagaSummary;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.annotation.security.RolesAllowed;
import jakarta.validation.Valid;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Resends the unanswered messages of many sagas, after the component that they wait for is back.
 */
@Path("/sagas/retry")
@RolesAllowed("operator")
@Tag(name = "Sagas")
@Produces(MediaType.APPLICATION_JSON)
public class BulkRetryResource {

  private static final Logger LOG = Logger.getLogger(BulkRetryResource.class);

  private final SagaRunners sagas;
  private final ActionForesight foresight;
  private final UnitOfWork unitOfWork;
  private final SecurityIdentity caller;

  BulkRetryResource(SagaRunners sagas, UnitOfWork unitOfWork, SecurityIdentity caller) {
    this.sagas = sagas;
    this.foresight = new ActionForesight(sagas);
    this.unitOfWork = sagas.transactions(unitOfWork);
    this.caller = caller;
  }

  /**
   * Retries each saga in a separate transaction: no saga waits for another, and a failure rolls
   * back one saga only.
   */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @RequestBody(required = false)
  @Operation(
      summary = "Send now what many sagas wait for",
      description =
          "A dry run unless `dryRun=false` says otherwise: it tells which sagas would be retried,"
              + " and changes nothing. Without a status it is about STUCK sagas, or with"
              + " `quarantined=true` about all that are in quarantine. A saga that is"
              + " retried keeps its status until it is answered, so go on with `cursor`.")
  @APIResponse(responseCode = "200", description = "The result for each saga")
  public BulkRetry retry(
      @BeanParam SagaChoice choice,
      @QueryParam("dryRun") @DefaultValue("true") String dryRun,
      @Valid @Nullable OperatorReason body)
      throws SQLException {
    boolean dry = isDry(dryRun);
    SagaFilter filter = filter(choice);
    SagaFilter.Page wanted = choice.page();
    SagaPage page =
        unitOfWork.call(
            tx -> SagaPage.of(SagaList.find(tx.connection(), filter, wanted), choice.limit()));
    List<UUID> ids = page.sagas().stream().map(SagaSummary::id).toList();
    return new BulkRetry(
        dry,
        dry ? foresee(ids) : ids.stream().map(id -> retry(id, OperatorReason.of(body))).toList(),
        page.next());
  }

  /** The same without a body. */
  @POST
  @Operation(hidden = true)
  public BulkRetry retry(
      @BeanParam SagaChoice choice, @QueryParam("dryRun") @DefaultValue("true") String dryRun)
      throws SQLException {
    return retry(choice, dryRun, null);
  }

  /** Only an explicit false makes the request change anything. */
  private static boolean isDry(String dryRun) {
    return switch (dryRun) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new BadRequestException("dryRun is %s: true or false".formatted(dryRun));
    };
  }

  /** Of any status only where those in quarantine are asked for. */
  private static SagaFilter filter(SagaChoice choice) {
    if (choice.status == null && !"true".equals(choice.quarantined)) {
      choice.status = SagaStatus.STUCK.name();
    }
    SagaFilter filter = choice.filter();
    if (filter.status() != null && filter.status().isEnd()) {
      throw new BadRequestException(
          "status is %s: sagas that have ended wait for nothing".formatted(filter.status()));
    }
    return filter;
  }

  private List<BulkRetry.Each> foresee(List<UUID> ids) throws SQLException {
    Set<UUID> unreadable = new HashSet<>();
    return unitOfWork
        .call(tx -> foresight.of(tx, ids, SagaDetails.Kind.RETRY, noting(unreadable)))
        .entrySet()
        .stream()
        .map(
            it ->
                unreadable.contains(it.getKey())
                    ? new BulkRetry.Each(it.getKey(), "failed", it.getValue().why())
                    : BulkRetry.Each.of(it.getKey(), "would be retried", it.getValue().why()))
        .toList();
  }

  private static ActionForesight.Reader noting(Set<UUID> unreadable) {
    return new ActionForesight.Reader() {
      @Override
      public void unreadable(UUID saga) {
        unreadable.add(saga);
      }
    };
  }

  private BulkRetry.Each retry(UUID id, @Nullable String why) {
    String by = CallingOperator.of(caller).name();
    try {
      OperatorAnswer answer =
          unitOfWork.call(
              tx ->
                  RequestAudit.carryOut(
                      tx, sagas, id, SagaDetails.Kind.RETRY, new SagaDetails.Asked(by, why)));
      return BulkRetry.Each.of(id, "retried", answer.objection().orElse(null));
    } catch (SQLException | RuntimeException e) {
      LOG.warnf(e, "saga %s could not be retried", id);
      return new BulkRetry.Each(id, "failed", "the service failed; its log of now has the cause");
    }
  }
}
