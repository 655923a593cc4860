package io.onceflow.participants.internal;

import static io.onceflow.saga.internal.services.ServiceRequest.act;

import io.onceflow.core.internal.Printable;
import io.onceflow.parked.internal.NewParkedJob;
import io.onceflow.parked.internal.ParkedJobResource;
import io.onceflow.saga.internal.operators.Roles;
import io.onceflow.saga.internal.services.ServiceRequest;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.inject.Instance;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
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
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The jobs on groups of parked messages of any service, as {@link ServicesResource} shows it. */
@Path("/sagas/services/{name}/parked-messages/jobs")
@Tag(name = "Services")
@Produces(MediaType.APPLICATION_JSON)
public class ServiceParkedJobs {

  private static final String OF_ITSELF = "/parked-messages/jobs";
  private static final int LARGEST_PAGE = 100;

  private final Participants itself;
  private final Instance<ParkedJobResource> own;
  private final ServiceProxy others;

  ServiceParkedJobs(Participants itself, Instance<ParkedJobResource> own, ServiceProxy others) {
    this.itself = itself;
    this.own = own;
    this.others = others;
  }

  /** Starts a job, or previews it. */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @RolesAllowed(Roles.OPERATOR)
  @Operation(summary = "Redrive or delete all parked messages of a group of a service")
  @APIResponse(responseCode = "200", description = "Dry run: the expected result")
  @APIResponse(responseCode = "201", description = "Started")
  public Response start(@PathParam("name") String name, @NotNull @Valid NewParkedJob job)
      throws SQLException {
    return isItself(name)
        ? own().start(job)
        : others.ask(name, act("POST", OF_ITSELF, others.text(job)));
  }

  /** A caller without a body is told so, if it may start one at all. */
  @POST
  @RolesAllowed(Roles.OPERATOR)
  @Operation(hidden = true)
  public Response start() {
    return own().start();
  }

  /** The newest first. */
  @GET
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
  @Operation(summary = "List redrives and deletions of groups of a service, newest first")
  @APIResponse(responseCode = "200", description = "As its own `GET /parked-messages/jobs`")
  public Response newest(
      @PathParam("name") String name,
      @QueryParam("limit") @DefaultValue("20") @Min(1) @Max(LARGEST_PAGE) int limit)
      throws SQLException {
    return isItself(name)
        ? Response.ok(own().newest(limit)).build()
        : others.ask(name, ServiceRequest.get(OF_ITSELF + "?limit=" + limit));
  }

  /** Pauses, resumes or stops a job. */
  @POST
  @Path("/{id}/{act: pause|resume|stop}")
  @RolesAllowed(Roles.OPERATOR)
  @Operation(summary = "Pause, resume or stop a redrive or deletion of a group of a service")
  @APIResponse(responseCode = "200", description = "As it is now")
  @APIResponse(responseCode = "409", description = "It has ended, or is so already")
  public Response change(
      @PathParam("name") String name,
      @PathParam("id") UUID id,
      @PathParam("act") String act,
      @QueryParam("reason")
          @Size(max = 200, message = "must be at most 200 characters")
          @Pattern(regexp = Printable.VISIBLE, message = "must be one line of visible text")
          @Nullable String reason)
      throws SQLException {
    if (isItself(name)) {
      return Response.ok(own().change(id, act, reason)).build();
    }
    String query =
        reason == null ? "" : "?reason=" + URLEncoder.encode(reason, StandardCharsets.UTF_8);
    return others.ask(name, act("POST", "%s/%s/%s%s".formatted(OF_ITSELF, id, act, query), null));
  }

  private boolean isItself(String name) {
    return name.equals(itself.name());
  }

  private ParkedJobResource own() {
    if (!own.isResolvable()) {
      throw new NotFoundException("This service has no such jobs on parked messages.");
    }
    return own.get();
  }
}
