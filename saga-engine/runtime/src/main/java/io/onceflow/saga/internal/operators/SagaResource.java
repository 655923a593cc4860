package io.onceflow.saga.internal.operators;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.view.OperatorAnswer;
import io.onceflow.saga.internal.store.view.SagaFilter;
import io.onceflow.saga.internal.store.view.SagaList;
import io.onceflow.saga.internal.store.view.SagaSearch;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.annotation.security.RolesAllowed;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.ForbiddenException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/**
 * The operators' REST resource of all sagas. Every request of an operator is recorded in the saga's
 * history.
 */
@Path("/sagas")
@RolesAllowed(Roles.OPERATOR)
@Tag(name = "Sagas")
@Produces(MediaType.APPLICATION_JSON)
public class SagaResource {

  private final SagaRunners sagas;
  private final UnitOfWork unitOfWork;
  private final SecurityIdentity caller;

  SagaResource(SagaRunners sagas, UnitOfWork unitOfWork, SecurityIdentity caller) {
    this.sagas = sagas;
    this.unitOfWork = sagas.transactions(unitOfWork);
    this.caller = caller;
  }

  /** A page of the sagas that the query chooses. */
  @GET
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
  @Operation(
      summary = "List sagas, oldest first unless `order=newest`",
      description =
          "A saga matches all parameters. A query that takes longer than two seconds is answered"
              + " 503: narrow it, for instance by `startedAfter`.")
  public SagaPage list(@BeanParam SagaChoice choice) throws SQLException {
    SagaFilter filter = allowed(choice).filter();
    SagaFilter.Page wanted = choice.page();
    SagaPage page =
        unitOfWork.call(
            tx -> SagaPage.of(SagaList.find(tx.connection(), filter, wanted), choice.limit()));
    return Roles.seesPersonalData(caller) ? page : page.withoutPersonalData();
  }

  /** How many sagas the query chooses. */
  @GET
  @Path("/count")
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
  @Operation(summary = "Count sagas; of more than 10,000 it says that there are so many at least")
  public SagaCount count(@BeanParam SagaChoice choice) throws SQLException {
    SagaFilter filter = allowed(choice).filter();
    return SagaCount.of(unitOfWork.call(tx -> SagaList.count(tx.connection(), filter)));
  }

  /** Sagas by one text. */
  @GET
  @Path("/search")
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
  @Operation(
      summary = "Find sagas by an id, whole or its last twelve digits, a key or a customer",
      description =
          "The id of a saga or of its subject; for operators also an idempotency key or a customer."
              + " Short ids and keys are looked for among the open sagas and the newest 20,000.")
  public List<SagaSearch.Hit> search(
      @QueryParam("q") @NotBlank @Size(max = 200) @Nullable String text) throws SQLException {
    String wanted = Objects.requireNonNull(text).strip();
    if (wanted.indexOf('\0') >= 0) {
      throw new BadRequestException("q has a character that no id, key or customer has");
    }
    return unitOfWork.call(
        tx -> SagaSearch.find(tx.connection(), wanted, Roles.seesPersonalData(caller)));
  }

  private SagaChoice allowed(SagaChoice choice) {
    if (choice.asksForPersonalData() && !Roles.seesPersonalData(caller)) {
      throw new ForbiddenException("customer is for callers with the role operator");
    }
    return choice;
  }

  /** One saga. */
  @GET
  @Path("/{id}")
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
  @Operation(summary = "Read a saga: its steps and history")
  @APIResponse(responseCode = "200", description = "The saga")
  @APIResponse(responseCode = "404", description = "There is no such saga")
  public SagaView read(@PathParam("id") UUID id) throws SQLException {
    SagaView saga = SagaProblem.read(id, () -> unitOfWork.call(tx -> sagas.view(tx, id)));
    return Roles.seesPersonalData(caller) ? saga : saga.withoutPersonalData();
  }

  /** Sends what is awaited now. */
  @POST
  @Path("/{id}/retry")
  @Consumes(MediaType.APPLICATION_JSON)
  @RequestBody(required = false)
  @Operation(
      summary = "Send now what the saga waits for",
      description =
          "Under the same key as before, so that it takes effect once however often it is sent."
              + " Takes the saga out of quarantine, if it is in it and can be handled now.")
  @APIResponse(responseCode = "200", description = "It is sent; the saga as it stands now")
  @APIResponse(responseCode = "404", description = "There is no such saga")
  @APIResponse(responseCode = "409", description = "`saga-refuses`: that makes no sense, and why")
  public SagaView retry(@PathParam("id") UUID id, @Valid @Nullable OperatorReason body)
      throws SQLException {
    return ask(id, SagaDetails.Kind.RETRY, body);
  }

  /** The same without a body. */
  @POST
  @Path("/{id}/retry")
  @Operation(hidden = true)
  public SagaView retry(@PathParam("id") UUID id) throws SQLException {
    return retry(id, null);
  }

  /** Undoes the saga from where it stands. */
  @POST
  @Path("/{id}/compensate")
  @Consumes(MediaType.APPLICATION_JSON)
  @RequestBody(required = false)
  @Operation(
      summary = "Compensate the saga from its current step",
      description =
          "A step in progress ends at once and is compensated like those before it; should"
              + " it turn out to have been done after all, that is undone too.")
  @APIResponse(responseCode = "200", description = "It is being undone; the saga as it stands now")
  @APIResponse(responseCode = "404", description = "There is no such saga")
  @APIResponse(responseCode = "409", description = "`saga-refuses`: that makes no sense, and why")
  public SagaView compensate(@PathParam("id") UUID id, @Valid @Nullable OperatorReason body)
      throws SQLException {
    return ask(id, SagaDetails.Kind.COMPENSATE, body);
  }

  /** The same without a body. */
  @POST
  @Path("/{id}/compensate")
  @Operation(hidden = true)
  public SagaView compensate(@PathParam("id") UUID id) throws SQLException {
    return compensate(id, null);
  }

  /** Undoes the saga if that is still possible. */
  @POST
  @Path("/{id}/cancel")
  @Consumes(MediaType.APPLICATION_JSON)
  @RequestBody(required = false)
  @Operation(
      summary = "Cancel the saga",
      description =
          "Unlike compensating, it waits for the answer to a step in progress, whose outcome"
              + " decides which steps are compensated.")
  @APIResponse(responseCode = "200", description = "It is being undone; the saga as it stands now")
  @APIResponse(responseCode = "404", description = "There is no such saga")
  @APIResponse(responseCode = "409", description = "`saga-refuses`: that makes no sense, and why")
  public SagaView cancel(@PathParam("id") UUID id, @Valid @Nullable OperatorReason body)
      throws SQLException {
    return ask(id, SagaDetails.Kind.CANCEL, body);
  }

  /** The same without a body. */
  @POST
  @Path("/{id}/cancel")
  @Operation(hidden = true)
  public SagaView cancel(@PathParam("id") UUID id) throws SQLException {
    return cancel(id, null);
  }

  /** Lets nothing move the saga. */
  @POST
  @Path("/{id}/hold")
  @Consumes(MediaType.APPLICATION_JSON)
  @RequestBody(required = false)
  @Operation(
      summary = "Hold the saga: nothing is sent until it is resumed",
      description =
          "No timer fires, and replies are kept. With `until` it is resumed by itself. Then its"
              + " times are put off by as long as it was held, so that nothing times out by it.")
  @APIResponse(responseCode = "200", description = "It is on hold; the saga as it stands now")
  @APIResponse(responseCode = "404", description = "There is no such saga")
  @APIResponse(responseCode = "409", description = "`saga-refuses`: that makes no sense, and why")
  public SagaView hold(@PathParam("id") UUID id, @Valid @Nullable HoldRequest body)
      throws SQLException {
    return ask(id, SagaDetails.Kind.HOLD, HoldRequest.asked(body, name()));
  }

  /** The same without a body. */
  @POST
  @Path("/{id}/hold")
  @Operation(hidden = true)
  public SagaView hold(@PathParam("id") UUID id) throws SQLException {
    return hold(id, null);
  }

  /** Ends a hold. */
  @POST
  @Path("/{id}/resume")
  @Consumes(MediaType.APPLICATION_JSON)
  @RequestBody(required = false)
  @Operation(summary = "Resume a saga that is on hold")
  @APIResponse(responseCode = "200", description = "It continues; the saga as it stands now")
  @APIResponse(responseCode = "404", description = "There is no such saga")
  @APIResponse(responseCode = "409", description = "`saga-refuses`: that makes no sense, and why")
  public SagaView resume(@PathParam("id") UUID id, @Valid @Nullable OperatorReason body)
      throws SQLException {
    return ask(id, SagaDetails.Kind.RESUME, body);
  }

  /** The same without a body. */
  @POST
  @Path("/{id}/resume")
  @Operation(hidden = true)
  public SagaView resume(@PathParam("id") UUID id) throws SQLException {
    return resume(id, null);
  }

  /** Lets the saga continue without a compensation. */
  @POST
  @Path("/{id}/steps/{step}/skip-compensation")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      summary = "Skip a compensation that the saga waits for",
      description =
          "The saga continues as if it had been done; the step shows who skipped it and why. What the"
              + " step did stays, unless it is undone by other means.")
  @APIResponse(responseCode = "200", description = "It is skipped; the saga as it stands now")
  @APIResponse(responseCode = "400", description = "The reason is missing")
  @APIResponse(responseCode = "404", description = "There is no such saga")
  @APIResponse(responseCode = "409", description = "`saga-refuses`: that makes no sense, and why")
  public SagaView skipCompensation(
      @PathParam("id") UUID id, @PathParam("step") String step, @NotNull @Valid SkipRequest body)
      throws SQLException {
    return ask(id, tx -> RequestAudit.skip(tx, sagas, id, step, name(), body.why()));
  }

  /** A caller without a body is told so, if it may do that at all. */
  @POST
  @Path("/{id}/steps/{step}/skip-compensation")
  @Operation(hidden = true)
  public SagaView skipCompensation(@PathParam("id") UUID id, @PathParam("step") String step) {
    throw new BadRequestException("A body with the reason is needed.");
  }

  private SagaView ask(UUID id, SagaDetails.Kind kind, @Nullable OperatorReason body)
      throws SQLException {
    return ask(id, kind, new SagaDetails.Asked(name(), OperatorReason.of(body)));
  }

  private String name() {
    return CallingOperator.of(caller).name();
  }

  private SagaView ask(UUID id, SagaDetails.Kind kind, SagaDetails.Asked asked)
      throws SQLException {
    return ask(id, tx -> RequestAudit.carryOut(tx, sagas, id, kind, asked));
  }

  private SagaView ask(UUID id, UnitOfWork.Work<OperatorAnswer> act) throws SQLException {
    return SagaProblem.moved(id, () -> unitOfWork.call(tx -> moved(tx, id, act.in(tx))));
  }

  private SagaView moved(Transaction tx, UUID id, OperatorAnswer answer) throws SQLException {
    SagaView view = sagas.view(tx, id).orElseThrow(() -> SagaProblem.unknown(id));
    String refuses = "Saga %s refuses: ".formatted(id);
    return switch (answer) {
      case OperatorAnswer.Done done -> view;
      case OperatorAnswer.Refused refused ->
          throw SagaProblem.Type.SAGA_REFUSES.because(refuses + refused.why() + ".");
      case OperatorAnswer.Unknown unknown ->
          throw SagaProblem.Type.SAGA_REFUSES.because(
              refuses
                  + "it follows version %s of %s, which this process does not know."
                      .formatted(view.version(), view.definition()));
    };
  }
}
