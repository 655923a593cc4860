package io.onceflow.saga.internal.repair;

import io.onceflow.saga.internal.operators.CallingOperator;
import io.onceflow.saga.internal.operators.OperatorReason;
import io.onceflow.saga.internal.operators.Roles;
import io.onceflow.saga.internal.operators.SagaDetails;
import io.onceflow.saga.internal.operators.SagaFilterReader;
import io.onceflow.saga.internal.repair.RepairPages.RepairPage;
import io.onceflow.saga.internal.repair.RepairPages.RepairedSagaPage;
import io.onceflow.saga.internal.store.view.SagaFilter;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.annotation.security.RolesAllowed;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The operators' REST resource of repairs. */
@Path("/sagas/repairs")
@RolesAllowed(Roles.OPERATOR)
@Tag(name = "Repairs")
@Produces(MediaType.APPLICATION_JSON)
public class RepairResource {

  private static final int LARGEST_PAGE = 500;

  private final Repairs repairs;
  private final RepairPreview preview;
  private final SecurityIdentity caller;

  RepairResource(Repairs repairs, RepairPreview preview, SecurityIdentity caller) {
    this.repairs = repairs;
    this.preview = preview;
    this.caller = caller;
  }

  /** Starts a repair, or previews it. */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      summary = "Repair all sagas that a filter finds",
      description =
          "A dry run unless `dryRun` is false: counts them, tells of the first ones whether they"
              + " would allow it, tries those in quarantine, and warns of participants that do not"
              + " answer. Of sagas that are to be migrated to another `version` it looks at all, up to"
              + " 10000. Else they are marked, and any replica asks them at the repair's"
              + " rate, each in a separate transaction.")
  @APIResponse(responseCode = "200", description = "Dry run: the expected result")
  @APIResponse(responseCode = "201", description = "Started, or waiting for a second operator")
  @APIResponse(
      responseCode = "409",
      description =
          "`repair-under-way`: the same is not finished; or `definition-refuses`: a living replica"
              + " does not know the version to which sagas are to be migrated")
  public Response start(@NotNull @Valid NewRepair repair) throws SQLException {
    if (repair.until() != null && repair.action() != SagaDetails.Kind.HOLD) {
      throw new BadRequestException("until is for the action hold");
    }
    SagaFilter filter = openOnly(SagaFilterReader.read(repair.filter()));
    if (repair.isMigration()) {
      expectMigration(repair, filter);
    } else if (repair.version() != null || repair.limit() != null) {
      throw new BadRequestException("version and limit are for the action migrate");
    }
    if (repair.isDry()) {
      byte[] hash = repairs.hash(repair.action(), filter);
      String token = CallingOperator.of(caller).token();
      return Response.ok(preview.of(repair, filter, hash, token)).build();
    }
    Integer limit = repair.limit();
    List<UUID> some = limit == null ? null : preview.allowed(repair, filter, limit);
    Repair started = repairs.start(repair, filter, some, name());
    return Response.created(URI.create("/sagas/repairs/" + started.id())).entity(started).build();
  }

  private void expectMigration(NewRepair repair, SagaFilter filter) throws SQLException {
    Integer version = repair.version();
    String definition = filter.definition();
    if (version == null || definition == null || filter.version() == null) {
      throw new BadRequestException(
          "a migration needs version, and a filter with definition and version");
    }
    preview.expectRolledOut(definition, version);
  }

  /** Another filter would read through the sagas that have ended, which wait for nothing. */
  private static SagaFilter openOnly(SagaFilter filter) {
    if (filter.status() != null && filter.status().isEnd() || !filter.excludesEnded()) {
      throw new BadRequestException(
          "filter may find sagas that have ended: add a status (QUEUED, RUNNING, COMPENSATING or STUCK),"
              + " open=true, a step, direction or command, quarantined=true, held=true or overdue=true");
    }
    return filter;
  }

  /** A caller without a body is told so, if it may repair at all. */
  @POST
  @Operation(hidden = true)
  public Response start() {
    throw new BadRequestException("A repair has a body with its action and its filter.");
  }

  /** A page of the repairs. */
  @GET
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
  @Operation(summary = "List repairs, newest first")
  public RepairPage newest(
      @QueryParam("limit") @DefaultValue("100") @Min(1) @Max(LARGEST_PAGE) int limit,
      @QueryParam("cursor") @Nullable UUID cursor,
      @Parameter(description = "Only those of this saga.") @QueryParam("saga") @Nullable UUID saga)
      throws SQLException {
    return RepairPages.repairs(repairs.newest(saga, cursor, limit + 1), limit, this::shown);
  }

  /** One repair. */
  @GET
  @Path("/{id}")
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
  @Operation(summary = "Read a repair: how far it has come, and why sagas failed")
  @APIResponse(responseCode = "404", description = "There is no such repair")
  public Repair read(@PathParam("id") UUID id) throws SQLException {
    return shown(repairs.read(id));
  }

  /** A page of the sagas of a repair. */
  @GET
  @Path("/{id}/sagas")
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
  @Operation(summary = "List the sagas of a repair with the outcome of each")
  @APIResponse(responseCode = "404", description = "There is no such repair")
  public RepairedSagaPage sagas(
      @PathParam("id") UUID id,
      @QueryParam("outcome") @Nullable String outcome,
      @QueryParam("limit") @DefaultValue("100") @Min(1) @Max(LARGEST_PAGE) int limit,
      @QueryParam("cursor") @Nullable UUID cursor)
      throws SQLException {
    return RepairPages.sagas(repairs.sagas(id, outcome(outcome), cursor, limit + 1), limit);
  }

  /** Holds a running repair. */
  @POST
  @Path("/{id}/pause")
  @Consumes(MediaType.APPLICATION_JSON)
  @RequestBody(required = false)
  @Operation(summary = "Pause a running repair")
  @APIResponse(responseCode = "409", description = "`repair-refuses`: it does not run")
  public Repair pause(@PathParam("id") UUID id, @Valid @Nullable OperatorReason body)
      throws SQLException {
    return repairs.pause(id, name(), OperatorReason.of(body));
  }

  /** The same without a body. */
  @POST
  @Path("/{id}/pause")
  @Operation(hidden = true)
  public Repair pause(@PathParam("id") UUID id) throws SQLException {
    return pause(id, null);
  }

  /** Lets a paused repair continue. */
  @POST
  @Path("/{id}/resume")
  @Consumes(MediaType.APPLICATION_JSON)
  @RequestBody(required = false)
  @Operation(summary = "Resume a paused repair")
  @APIResponse(responseCode = "409", description = "`repair-refuses`: it is not paused")
  public Repair resume(@PathParam("id") UUID id, @Valid @Nullable OperatorReason body)
      throws SQLException {
    return repairs.resume(id, name(), OperatorReason.of(body));
  }

  /** The same without a body. */
  @POST
  @Path("/{id}/resume")
  @Operation(hidden = true)
  public Repair resume(@PathParam("id") UUID id) throws SQLException {
    return resume(id, null);
  }

  /** Ends a repair. */
  @POST
  @Path("/{id}/stop")
  @Consumes(MediaType.APPLICATION_JSON)
  @RequestBody(required = false)
  @Operation(
      summary = "Stop a repair permanently",
      description =
          "Once this is answered no further saga is requested; requested ones are not reverted.")
  @APIResponse(responseCode = "409", description = "`repair-refuses`: it has ended")
  public Repair stop(@PathParam("id") UUID id, @Valid @Nullable OperatorReason body)
      throws SQLException {
    return repairs.stop(id, name(), OperatorReason.of(body));
  }

  /** The same without a body. */
  @POST
  @Path("/{id}/stop")
  @Operation(hidden = true)
  public Repair stop(@PathParam("id") UUID id) throws SQLException {
    return stop(id, null);
  }

  /** Approves a repair. */
  @POST
  @Path("/{id}/approve")
  @Consumes(MediaType.APPLICATION_JSON)
  @RequestBody(required = false)
  @Operation(summary = "Approve a repair that another operator started")
  @APIResponse(
      responseCode = "409",
      description = "`second-operator-needed`: the caller started it; or `repair-refuses`")
  public Repair approve(@PathParam("id") UUID id, @Valid @Nullable OperatorReason body)
      throws SQLException {
    return repairs.approve(id, name(), OperatorReason.of(body));
  }

  /** The same without a body. */
  @POST
  @Path("/{id}/approve")
  @Operation(hidden = true)
  public Repair approve(@PathParam("id") UUID id) throws SQLException {
    return approve(id, null);
  }

  private static @Nullable RepairOutcome outcome(@Nullable String word) {
    if (word == null) {
      return null;
    }
    for (RepairOutcome outcome : RepairOutcome.values()) {
      if (outcome.name().toLowerCase(Locale.ROOT).equals(word)) {
        return outcome;
      }
    }
    throw new BadRequestException(
        "outcome is %s: pending, requested, repaired, failed or refused".formatted(word));
  }

  private String name() {
    return CallingOperator.of(caller).name();
  }

  private Repair shown(Repair repair) {
    return Roles.seesPersonalData(caller) ? repair : repair.withoutPersonalData();
  }
}
