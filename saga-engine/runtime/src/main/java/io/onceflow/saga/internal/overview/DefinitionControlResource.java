package io.onceflow.saga.internal.overview;

import io.onceflow.inbox.internal.audit.AuditEntry;
import io.onceflow.inbox.internal.audit.AuditLog;
import io.onceflow.inbox.internal.audit.AuditSubject;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.internal.operators.CallingOperator;
import io.onceflow.saga.internal.operators.HoldRequest;
import io.onceflow.saga.internal.operators.OperatorReason;
import io.onceflow.saga.internal.operators.Roles;
import io.onceflow.saga.internal.operators.SagaProblem;
import io.onceflow.saga.internal.operators.VersionRollout;
import io.onceflow.saga.internal.runtime.DefinitionHolds;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.control.DefinitionControls;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.annotation.security.RolesAllowed;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.sql.SQLException;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/**
 * What operators do with definitions: hold all sagas of one, and choose the version of new ones.
 */
@Path("/sagas")
@RolesAllowed(Roles.OPERATOR)
@Tag(name = "Sagas")
@Produces(MediaType.APPLICATION_JSON)
public class DefinitionControlResource {

  private final Definitions definitions;
  private final SagaRunners sagas;
  private final UnitOfWork unitOfWork;
  private final SecurityIdentity caller;

  DefinitionControlResource(
      Definitions definitions, SagaRunners sagas, UnitOfWork unitOfWork, SecurityIdentity caller) {
    this.definitions = definitions;
    this.sagas = sagas;
    this.unitOfWork = sagas.transactions(unitOfWork);
    this.caller = caller;
  }

  /** Holds all sagas of a definition. */
  @POST
  @Path("/definitions/{name}/hold")
  @Consumes(MediaType.APPLICATION_JSON)
  @RequestBody(required = false)
  @Operation(
      summary = "Hold a definition: nothing is sent for its sagas until it is resumed",
      description =
          "Sagas that are open are put on hold within seconds, by all replicas. New ones are made"
              + " and wait for their first step.")
  @APIResponse(responseCode = "200", description = "It is on hold; the definition as it is now")
  @APIResponse(responseCode = "404", description = "There is no such definition")
  @APIResponse(responseCode = "409", description = "`definition-refuses`: it is on hold already")
  public DefinitionView hold(@PathParam("name") String name, @Valid @Nullable HoldRequest body)
      throws SQLException {
    expectKnown(name);
    return change(
        name,
        tx -> {
          if (!DefinitionHolds.hold(tx, name, HoldRequest.asked(body, by()).hold(true))) {
            throw SagaProblem.Type.DEFINITION_REFUSES.because(
                "Definition %s is on hold already.".formatted(name));
          }
        });
  }

  /** The same without a body. */
  @POST
  @Path("/definitions/{name}/hold")
  @Operation(hidden = true)
  public DefinitionView hold(@PathParam("name") String name) throws SQLException {
    return hold(name, null);
  }

  /** Resumes the sagas that were held with it. */
  @POST
  @Path("/definitions/{name}/resume")
  @Consumes(MediaType.APPLICATION_JSON)
  @RequestBody(required = false)
  @Operation(
      summary = "Resume a definition that is on hold",
      description = "Sagas that are on hold by themselves stay so.")
  @APIResponse(responseCode = "200", description = "Its sagas are resumed within seconds")
  @APIResponse(responseCode = "404", description = "There is no such definition")
  @APIResponse(responseCode = "409", description = "`definition-refuses`: it is not on hold")
  public DefinitionView resume(@PathParam("name") String name, @Valid @Nullable OperatorReason body)
      throws SQLException {
    expectKnown(name);
    return change(
        name,
        tx -> {
          if (!DefinitionHolds.resume(tx, name, by(), OperatorReason.of(body))) {
            throw SagaProblem.Type.DEFINITION_REFUSES.because(
                "Definition %s is not on hold.".formatted(name));
          }
        });
  }

  /** The same without a body. */
  @POST
  @Path("/definitions/{name}/resume")
  @Operation(hidden = true)
  public DefinitionView resume(@PathParam("name") String name) throws SQLException {
    return resume(name, null);
  }

  /** Chooses the version of new sagas. */
  @POST
  @Path("/definitions/{name}/start-version")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      summary = "Have a share of the new sagas follow another version",
      description =
          "All replicas follow within seconds. The other new sagas follow the configured version,"
              + " and with `share` 0 all of them do. Open sagas keep their version.")
  @APIResponse(responseCode = "200", description = "It is set; the definition as it is now")
  @APIResponse(responseCode = "404", description = "There is no such definition")
  @APIResponse(
      responseCode = "409",
      description = "`definition-refuses`: a living replica does not know that version")
  public DefinitionView startVersion(
      @PathParam("name") String name, @NotNull @Valid StartVersionRequest body)
      throws SQLException {
    expectKnown(name);
    return change(name, tx -> startVersion(tx, name, body));
  }

  /** A caller without a body is told so, if it may do that at all. */
  @POST
  @Path("/definitions/{name}/start-version")
  @Operation(hidden = true)
  public DefinitionView startVersion(@PathParam("name") String name) {
    throw new BadRequestException("A body with version and share is needed.");
  }

  private void startVersion(Transaction tx, String name, StartVersionRequest asked)
      throws SQLException {
    String by = by();
    if (asked.share() == 0) {
      DefinitionControls.startAsConfigured(tx.connection(), name);
    } else {
      VersionRollout.expectEverywhere(tx, sagas, name, asked.version());
      DefinitionControls.start(
          tx.connection(), name, asked.version(), asked.share(), by, asked.why());
    }
    String detail = "version %s for %s of 100 new sagas".formatted(asked.version(), asked.share());
    AuditLog.record(
        tx.connection(),
        new AuditEntry(by, "start-version", AuditSubject.definition(name), asked.why(), detail));
  }

  private void expectKnown(String name) {
    if (sagas.all().stream().noneMatch(it -> it.definition().equals(name))) {
      throw new NotFoundException("This process does not know a definition %s.".formatted(name));
    }
  }

  private DefinitionView change(String name, UnitOfWork.Statements change) throws SQLException {
    unitOfWork.run(change);
    return definitions.all().stream()
        .filter(it -> it.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private String by() {
    return CallingOperator.of(caller).name();
  }
}
