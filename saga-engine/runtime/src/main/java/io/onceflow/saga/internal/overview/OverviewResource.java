package io.onceflow.saga.internal.overview;

import io.onceflow.saga.internal.operators.Roles;
import io.onceflow.saga.internal.overview.DefinitionView.StepOfDefinition;
import io.onceflow.saga.internal.store.view.FailureGroups;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.sql.SQLException;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Tells how all sagas are, what definitions they follow, and which replicas run them. */
@Path("/sagas")
@RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
@Tag(name = "Sagas")
@Produces(MediaType.APPLICATION_JSON)
public class OverviewResource {

  private final Overviews overviews;
  private final Definitions definitions;
  private final KnownReplicas replicas;
  private final Minutes minutes;
  private final SecurityIdentity caller;

  OverviewResource(
      Overviews overviews,
      Definitions definitions,
      KnownReplicas replicas,
      Minutes minutes,
      SecurityIdentity caller) {
    this.overviews = overviews;
    this.definitions = definitions;
    this.replicas = replicas;
    this.minutes = minutes;
    this.caller = caller;
  }

  /** Counts of all sagas. */
  @GET
  @Path("/overview")
  @Operation(
      summary = "Read how the sagas are: how many are open, where they wait, how long they take",
      description =
          "One count for all callers, at most once a second, and less often where counting takes"
              + " long: it costs four percent of a processor at most.")
  public Overview overview() throws SQLException {
    return overviews.get();
  }

  /** What sagas fail of. */
  @GET
  @Path("/failures")
  @Operation(
      summary =
          "Group the open sagas that do not move on by what they fail of, largest group first",
      description =
          "By definition, step, direction and error: those that are stuck, in quarantine, or whose"
              + " message was sent again, and not those on hold. Errors may differ in numbers, ids"
              + " and quoted values. `GET /sagas?failure=` and a repair's filter take the"
              + " fingerprint. Of each definition 10,000 open sagas are read, and `complete` is false"
              + " where it has more; callers share a reading.")
  public FailureGroups failures() throws SQLException {
    return overviews.failures();
  }

  /** All definitions. */
  @GET
  @Path("/definitions")
  @Operation(summary = "List the definitions with their versions and how many sagas follow each")
  public List<DefinitionView> definitions() throws SQLException {
    List<DefinitionView> all = definitions.all();
    return Roles.seesPersonalData(caller)
        ? all
        : all.stream().map(DefinitionView::withoutPersonalData).toList();
  }

  /** What sagas did over time. */
  @GET
  @Path("/minutes")
  @Operation(
      summary =
          "Read what the sagas did over the last hours: started, ended, durations, failures,"
              + " and how many entered each step, by outcome",
      description =
          "In about a hundred spans of the same length; steps of the last day at most. Each replica"
              + " adds what it counted once a minute; callers share a reading.")
  @APIResponse(responseCode = "200", description = "By span, of all definitions")
  @APIResponse(responseCode = "400", description = "So many hours are not kept")
  public MinutesView minutes(@QueryParam("hours") @DefaultValue("1") int hours)
      throws SQLException {
    return minutes.of(hours);
  }

  /** All replicas. */
  @GET
  @Path("/replicas")
  @Operation(
      summary = "List the replicas: their builds, what they know and how they do",
      description =
          "Each writes its row every ten seconds. One that stops deletes it; one that was killed or"
              + " hangs is listed as not living for an hour.")
  public List<ReplicaView> replicas() throws SQLException {
    return replicas.all();
  }

  /** Two versions compared. */
  @GET
  @Path("/definitions/{name}/diff")
  @Operation(summary = "Compare the steps of two versions of a definition")
  @APIResponse(responseCode = "200", description = "Each step with its change")
  @APIResponse(responseCode = "404", description = "This process does not know such a version")
  public DefinitionDiff diff(
      @PathParam("name") String name,
      @QueryParam("from") @Nullable String from,
      @QueryParam("to") @Nullable String to) {
    int first = version("from", from);
    int second = version("to", to);
    return DefinitionDiff.of(first, steps(name, first), second, steps(name, second));
  }

  private List<StepOfDefinition> steps(String name, int version) {
    return definitions
        .steps(name, version)
        .orElseThrow(
            () ->
                new NotFoundException(
                    "This process does not know version %s of %s.".formatted(version, name)));
  }

  private static int version(String parameter, @Nullable String value) {
    try {
      return Integer.parseInt(String.valueOf(value));
    } catch (NumberFormatException e) {
      throw new BadRequestException(
          "%s is %s: the number of a version".formatted(parameter, value), e);
    }
  }
}
