package io.onceflow.reconciliation.internal.operators;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.internal.database.DatabaseTransaction;
import io.onceflow.reconciliation.Difference;
import io.onceflow.reconciliation.Difference.Kind;
import io.onceflow.reconciliation.Difference.Status;
import io.onceflow.reconciliation.internal.ReconciliationConfig;
import io.onceflow.reconciliation.internal.difference.Comparisons;
import io.onceflow.reconciliation.internal.difference.DifferenceFilter;
import io.onceflow.reconciliation.internal.difference.DifferenceTable;
import io.onceflow.reconciliation.internal.difference.MendRefused;
import io.onceflow.reconciliation.internal.difference.Mending;
import io.onceflow.saga.internal.operators.CallingOperator;
import io.onceflow.saga.internal.operators.Roles;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.annotation.security.RolesAllowed;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
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
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Shows operators in what books differ, and lets them mend or dismiss it. */
@Path("/reconciliation-differences")
@Tag(name = "Reconciliation")
@Produces(MediaType.APPLICATION_JSON)
public class DifferenceResource {

  private static final int LARGEST_PAGE = 500;

  private final DataSource database;
  private final DifferenceTable table;
  private final Mending mending;
  private final SecurityIdentity caller;

  DifferenceResource(
      DataSource database,
      Comparisons comparisons,
      ReconciliationConfig config,
      ObjectMapper json,
      SecurityIdentity caller) {
    this.database = database;
    this.table = new DifferenceTable(json);
    this.mending =
        new Mending(database, table, comparisons::open, comparisons::mend, config.settleAfter());
    this.caller = caller;
  }

  /** A page of differences. */
  public record DifferencePage(
      List<DifferenceView> differences, @JsonInclude(Include.NON_NULL) @Nullable UUID next) {}

  /** A page of differences. */
  @GET
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
  @Operation(
      summary = "List the differences between books, newest first",
      description = "For viewers the entries of both sides are null.")
  public DifferencePage newest(
      @QueryParam("status") @Nullable String status,
      @QueryParam("kind") @Nullable String kind,
      @QueryParam("comparison")
          @Pattern(regexp = "[!-~]{1,100}", message = "must be the name of a comparison")
          @Nullable String comparison,
      @QueryParam("limit") @DefaultValue("100") @Min(1) @Max(LARGEST_PAGE) int limit,
      @QueryParam("cursor") @Nullable UUID cursor)
      throws SQLException {
    DifferenceFilter filter =
        new DifferenceFilter(
            constant("status", Status.class, status),
            constant("kind", Kind.class, kind),
            comparison,
            cursor);
    List<Difference> found =
        DatabaseTransaction.call(database, tx -> table.newest(tx, filter, limit + 1));
    List<DifferenceView> page = found.stream().limit(limit).map(this::view).toList();
    return new DifferencePage(page, found.size() > limit ? page.getLast().id() : null);
  }

  private static <E extends Enum<E>> @Nullable E constant(
      String parameter, Class<E> type, @Nullable String word) {
    if (word == null) {
      return null;
    }
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equals(word)) {
        return constant;
      }
    }
    throw new BadRequestException(
        "%s is one of %s".formatted(parameter, List.of(type.getEnumConstants())));
  }

  /** One difference. */
  @GET
  @Path("/{id}")
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
  @Operation(summary = "Read a difference with what both sides have")
  @APIResponse(responseCode = "404", description = "There is no such difference")
  public DifferenceView read(@PathParam("id") UUID id) throws SQLException {
    return DatabaseTransaction.call(database, tx -> table.find(tx, id))
        .map(this::view)
        .orElseThrow(() -> new NotFoundException("There is no difference " + id + "."));
  }

  /** Mends a difference. */
  @POST
  @Path("/{id}/mend")
  @Consumes(MediaType.APPLICATION_JSON)
  @RolesAllowed(Roles.OPERATOR)
  @Operation(
      summary = "Carry out the mend that is proposed",
      description =
          "Both sides are looked up again first. It takes effect once for any number of"
              + " requests.")
  @APIResponse(responseCode = "409", description = "`mend-refused`")
  @APIResponse(responseCode = "503", description = "`mend-unknown`: ask again")
  public DifferenceView mend(@PathParam("id") UUID id, @NotNull @Valid DifferenceReason reason)
      throws SQLException, InterruptedException {
    try {
      return view(mending.mend(id, CallingOperator.of(caller), reason.reason()));
    } catch (MendRefused refused) {
      throw ReconciliationProblem.of(refused);
    }
  }

  /** A caller without a body is told so. */
  @POST
  @Path("/{id}/mend")
  @RolesAllowed(Roles.OPERATOR)
  @Operation(hidden = true)
  public DifferenceView mend(@PathParam("id") UUID id) {
    throw reasonMissing();
  }

  /** Closes a difference about which nothing is to be done. */
  @POST
  @Path("/{id}/dismiss")
  @Consumes(MediaType.APPLICATION_JSON)
  @RolesAllowed(Roles.OPERATOR)
  @Operation(
      summary = "Dismiss a difference",
      description = "It is open again if a run finds it with other entries.")
  @APIResponse(responseCode = "409", description = "`mend-refused`")
  public DifferenceView dismiss(@PathParam("id") UUID id, @NotNull @Valid DifferenceReason reason)
      throws SQLException {
    try {
      return view(mending.dismiss(id, CallingOperator.of(caller), reason.reason()));
    } catch (MendRefused refused) {
      throw ReconciliationProblem.of(refused);
    }
  }

  /** A caller without a body is told so. */
  @POST
  @Path("/{id}/dismiss")
  @RolesAllowed(Roles.OPERATOR)
  @Operation(hidden = true)
  public DifferenceView dismiss(@PathParam("id") UUID id) {
    throw reasonMissing();
  }

  private static BadRequestException reasonMissing() {
    return new BadRequestException("The body has a reason, which is kept in the audit log.");
  }

  private DifferenceView view(Difference difference) {
    return DifferenceView.of(
        difference, mending.proposal(difference).orElse(null), Roles.seesPersonalData(caller));
  }
}
