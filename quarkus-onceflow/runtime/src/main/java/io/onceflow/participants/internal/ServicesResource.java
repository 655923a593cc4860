package io.onceflow.participants.internal;

import static io.onceflow.saga.internal.services.ServiceRequest.act;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.core.internal.Printable;
import io.onceflow.parked.internal.ParkedEdit;
import io.onceflow.parked.internal.ParkedMessageResource;
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
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Shows operators all services at the one that leads the sagas, which asks the others in the
 * caller's name. No other requests are proxied.
 */
@Path("/sagas/services")
@Tag(name = "Services")
@Produces(MediaType.APPLICATION_JSON)
public class ServicesResource {

  private static final Logger LOG = Logger.getLogger(ServicesResource.class);

  private static final int LARGEST_PAGE = 500;

  private static final String UUID_TEXT = "\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}";

  private final Participants itself;
  private final ParticipantResource own;
  private final Instance<ParkedMessageResource> ownParked;
  private final ServiceProxy others;
  private final ObjectMapper json;

  ServicesResource(
      Participants itself,
      ParticipantResource own,
      Instance<ParkedMessageResource> ownParked,
      ServiceProxy others,
      ObjectMapper json) {
    this.itself = itself;
    this.own = own;
    this.ownParked = ownParked;
    this.others = others;
    this.json = json;
  }

  /** This service first, then the others by their names. */
  @GET
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
  @Operation(
      summary = "Read the state of all services",
      description =
          "This one and those that `onceflow.services` lists, each asked with the caller's token."
              + " One that does not answer within 2 s is not reachable, with the reason.")
  public List<ServiceView> all() {
    List<ServiceView> views = new ArrayList<>();
    views.add(itself());
    views.addAll(others.participants());
    return views;
  }

  /** The others are shown nevertheless. */
  private ServiceView itself() {
    try {
      JsonNode view = json.valueToTree(own.view());
      return new ServiceView(itself.name(), null, true, null, view);
    } catch (SQLException | RuntimeException e) {
      LOG.debug("the state of this service cannot be read", e);
      return new ServiceView(itself.name(), null, false, "Its database does not answer.", null);
    }
  }

  /** Pauses a service. */
  @POST
  @Path("/{name}/pause")
  @Consumes(MediaType.APPLICATION_JSON)
  @RolesAllowed(Roles.OPERATOR)
  @Operation(summary = "Let a service take no more commands")
  @APIResponse(responseCode = "204", description = "Paused now, or was so already")
  @APIResponse(responseCode = "404", description = "No such service is listed")
  @APIResponse(responseCode = "503", description = "It is unreachable")
  public Response pause(@PathParam("name") String name, @NotNull @Valid PauseReason why)
      throws SQLException {
    return isItself(name)
        ? done(() -> own.pause(why))
        : others.ask(name, act("POST", "/participant/pause", others.text(why)));
  }

  /** Resumes a service. */
  @POST
  @Path("/{name}/resume")
  @Consumes(MediaType.APPLICATION_JSON)
  @RolesAllowed(Roles.OPERATOR)
  @Operation(summary = "Let a service take commands again")
  @APIResponse(responseCode = "204", description = "Resumed now, or was not paused")
  @APIResponse(responseCode = "404", description = "No such service is listed")
  @APIResponse(responseCode = "503", description = "It is unreachable")
  public Response resume(@PathParam("name") String name, @NotNull @Valid PauseReason why)
      throws SQLException {
    return isItself(name)
        ? done(() -> own.resume(why))
        : others.ask(name, act("POST", "/participant/resume", others.text(why)));
  }

  /** A caller without a body is told so, if it may pause it at all. */
  @POST
  @Path("/{name}/pause")
  @RolesAllowed(Roles.OPERATOR)
  @Operation(hidden = true)
  public Response pause() {
    throw PauseReason.missing();
  }

  /** A caller without a body is told so, if it may resume it at all. */
  @POST
  @Path("/{name}/resume")
  @RolesAllowed(Roles.OPERATOR)
  @Operation(hidden = true)
  public Response resume() {
    throw PauseReason.missing();
  }

  /** What a service could not handle. */
  @GET
  @Path("/{name}/parked-messages")
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
  @Operation(summary = "List the parked messages of a service, newest first")
  @APIResponse(responseCode = "200", description = "As its own `GET /parked-messages`")
  public Response parked(
      @PathParam("name") String name,
      @QueryParam("limit") @DefaultValue("100") @Min(1) @Max(LARGEST_PAGE) int limit,
      @QueryParam("cursor") @Pattern(regexp = UUID_TEXT, message = "must be a message's id")
          @Nullable String cursor,
      @QueryParam("saga") @Nullable UUID saga,
      @QueryParam("group")
          @Pattern(
              regexp = ParkedMessageResource.FINGERPRINT,
              message = "must be the fingerprint of a group")
          @Nullable String group)
      throws SQLException {
    String query =
        "?limit="
            + limit
            + (cursor == null ? "" : "&cursor=" + cursor)
            + (saga == null ? "" : "&saga=" + saga)
            + (group == null ? "" : "&group=" + group);
    return isItself(name)
        ? Response.ok(ownParked().newest(limit, cursor, saga, group)).build()
        : others.ask(name, ServiceRequest.get("/parked-messages" + query));
  }

  /** What a service could not handle, by causes. */
  @GET
  @Path("/{name}/parked-messages/groups")
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
  @Operation(summary = "Group the parked messages of a service by their causes")
  @APIResponse(responseCode = "200", description = "As its own `GET /parked-messages/groups`")
  public Response parkedGroups(@PathParam("name") String name) throws SQLException {
    return isItself(name)
        ? Response.ok(ownParked().groups()).build()
        : others.ask(name, ServiceRequest.get("/parked-messages/groups"));
  }

  /** One message. */
  @GET
  @Path("/{name}/parked-messages/{id}")
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
  @Operation(summary = "Read a parked message of a service")
  @APIResponse(responseCode = "200", description = "As its own `GET /parked-messages/{id}`")
  public Response parkedMessage(@PathParam("name") String name, @PathParam("id") UUID id)
      throws SQLException {
    return isItself(name)
        ? Response.ok(ownParked().read(id)).build()
        : others.ask(name, ServiceRequest.get(path(id)));
  }

  /** Changes a message. */
  @PUT
  @Path("/{name}/parked-messages/{id}/edit")
  @Consumes(MediaType.APPLICATION_JSON)
  @RolesAllowed(Roles.OPERATOR)
  @Operation(summary = "Change the payload of a parked message of a service")
  @APIResponse(responseCode = "204", description = "Changed; it is still parked")
  public Response edit(
      @PathParam("name") String name, @PathParam("id") UUID id, @NotNull @Valid ParkedEdit edit)
      throws SQLException {
    return isItself(name)
        ? done(() -> ownParked().edit(id, edit))
        : others.ask(name, act("PUT", path(id) + "/edit", others.text(edit)));
  }

  /** Lets a message be handled again. */
  @POST
  @Path("/{name}/parked-messages/{id}/redrive")
  @RolesAllowed(Roles.OPERATOR)
  @Operation(summary = "Redrive a parked message of a service")
  @APIResponse(responseCode = "200", description = "Handled, and not parked any more")
  @APIResponse(responseCode = "409", description = "Still parked; the detail says why")
  public Response redrive(@PathParam("name") String name, @PathParam("id") UUID id)
      throws SQLException {
    return isItself(name)
        ? Response.ok(ownParked().redrive(id)).build()
        : others.ask(name, act("POST", path(id) + "/redrive", null));
  }

  /** Deletes a message for good. */
  @DELETE
  @Path("/{name}/parked-messages/{id}")
  @RolesAllowed(Roles.OPERATOR)
  @Operation(summary = "Delete a parked message of a service permanently")
  @APIResponse(responseCode = "204", description = "Deleted")
  public Response delete(
      @PathParam("name") String name,
      @PathParam("id") UUID id,
      @QueryParam("reason")
          @Size(max = 200, message = "must be at most 200 characters")
          @Pattern(regexp = Printable.VISIBLE, message = "must be one line of visible text")
          @Nullable String reason)
      throws SQLException {
    String query =
        reason == null ? "" : "?reason=" + URLEncoder.encode(reason, StandardCharsets.UTF_8);
    return isItself(name)
        ? done(() -> ownParked().delete(id, reason))
        : others.ask(name, act("DELETE", path(id) + query, null));
  }

  @FunctionalInterface
  private interface Action {
    void run() throws SQLException;
  }

  private static Response done(Action action) throws SQLException {
    action.run();
    return Response.noContent().build();
  }

  private boolean isItself(String name) {
    return name.equals(itself.name());
  }

  private ParkedMessageResource ownParked() {
    if (!ownParked.isResolvable()) {
      throw new NotFoundException("This service has no such list of parked messages.");
    }
    return ownParked.get();
  }

  private static String path(UUID id) {
    return "/parked-messages/" + id;
  }
}
