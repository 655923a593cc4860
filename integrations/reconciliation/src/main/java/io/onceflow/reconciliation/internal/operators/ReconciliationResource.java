package io.onceflow.reconciliation.internal.operators;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.onceflow.inbox.internal.parking.RedriveCheck.Operator;
import io.onceflow.internal.database.DatabaseTransaction;
import io.onceflow.reconciliation.internal.difference.Comparisons;
import io.onceflow.reconciliation.internal.run.ReconciliationJob;
import io.onceflow.reconciliation.internal.run.ReconciliationRun;
import io.onceflow.reconciliation.internal.run.RunTable;
import io.onceflow.saga.internal.operators.CallingOperator;
import io.onceflow.saga.internal.operators.Roles;
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
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Lets operators compare a day of two books, and see the days that were compared. */
@Path("/reconciliations")
@Tag(name = "Reconciliation")
@Produces(MediaType.APPLICATION_JSON)
public class ReconciliationResource {

  private static final int LARGEST_PAGE = 500;

  private final ReconciliationJob job;
  private final Comparisons comparisons;
  private final DataSource database;
  private final SecurityIdentity caller;

  ReconciliationResource(
      ReconciliationJob job,
      Comparisons comparisons,
      DataSource database,
      SecurityIdentity caller) {
    this.job = job;
    this.comparisons = comparisons;
    this.database = database;
    this.caller = caller;
  }

  /** A page of runs; {@code comparisons} are the names that there are. */
  public record RunPage(
      List<ReconciliationRun> reconciliations,
      List<String> comparisons,
      @JsonInclude(Include.NON_NULL) @Nullable UUID next) {}

  /** Compares a day. */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @RolesAllowed(Roles.OPERATOR)
  @Operation(
      summary = "Compare a day of two books",
      description =
          "Answers at once; the run is made in the background. Books of other services are read"
              + " with the caller's token.")
  @APIResponse(responseCode = "202", description = "It runs, or waits for another run")
  @APIResponse(responseCode = "404", description = "There is no such comparison here")
  @APIResponse(responseCode = "409", description = "`reconciliation-under-way`")
  public Response start(@NotNull @Valid NewReconciliation wanted) throws SQLException {
    LocalDate day = day(wanted.day());
    if (!comparisons.has(wanted.comparison())) {
      throw new NotFoundException(
          "There is no such comparison here; there are %s.".formatted(comparisons.names()));
    }
    Operator operator = CallingOperator.of(caller);
    UUID id =
        job.request(wanted.comparison(), day, operator)
            .orElseThrow(
                () ->
                    ReconciliationProblem.underWay(
                        "The run of %s of %s is not finished."
                            .formatted(wanted.comparison(), day)));
    return Response.accepted(read(id)).location(URI.create("/reconciliations/" + id)).build();
  }

  /** A caller without a body is told so. */
  @POST
  @RolesAllowed(Roles.OPERATOR)
  @Operation(hidden = true)
  public Response start() {
    throw new BadRequestException("A comparison has a body with its name and the day.");
  }

  private static LocalDate day(String text) {
    try {
      LocalDate day = LocalDate.parse(text);
      if (day.isAfter(LocalDate.now(ZoneOffset.UTC))) {
        throw new BadRequestException("%s has not begun".formatted(day));
      }
      return day;
    } catch (DateTimeException e) {
      throw new BadRequestException("day is no date: " + text, e);
    }
  }

  /** A page of runs. */
  @GET
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
  @Operation(summary = "List the days that were compared, newest run first")
  public RunPage newest(
      @QueryParam("limit") @DefaultValue("100") @Min(1) @Max(LARGEST_PAGE) int limit,
      @QueryParam("cursor") @Nullable UUID cursor)
      throws SQLException {
    List<ReconciliationRun> found =
        DatabaseTransaction.call(database, tx -> RunTable.newest(tx, cursor, limit + 1));
    List<ReconciliationRun> page = found.stream().limit(limit).map(this::shown).toList();
    return new RunPage(
        page, comparisons.names(), found.size() > limit ? page.getLast().id() : null);
  }

  /** One run. */
  @GET
  @Path("/{id}")
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
  @Operation(summary = "Read the state of the comparison of a day")
  @APIResponse(responseCode = "404", description = "There is no such run")
  public ReconciliationRun read(@PathParam("id") UUID id) throws SQLException {
    return DatabaseTransaction.call(database, tx -> RunTable.find(tx, id))
        .map(this::shown)
        .orElseThrow(() -> new NotFoundException("There is no run " + id + "."));
  }

  private ReconciliationRun shown(ReconciliationRun run) {
    return Roles.seesPersonalData(caller) ? run : run.withoutPersonalData();
  }
}
