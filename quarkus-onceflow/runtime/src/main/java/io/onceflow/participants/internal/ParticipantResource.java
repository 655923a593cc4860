package io.onceflow.participants.internal;

import io.onceflow.saga.internal.operators.CallingOperator;
import io.onceflow.saga.internal.operators.Roles;
import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.annotation.security.RolesAllowed;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.sql.SQLException;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Shows operators how this service is, and lets them pause it. */
@Path("/participant")
@Tag(name = "Participant")
@Produces(MediaType.APPLICATION_JSON)
public class ParticipantResource {

  private final Participants participants;
  private final SecurityIdentity caller;

  ParticipantResource(Participants participants, SecurityIdentity caller) {
    this.participants = participants;
    this.caller = caller;
  }

  /** How this service is. */
  @GET
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
  @Operation(
      summary =
          "Read the state of this service: its queues, what it handles, and whether it is paused",
      description = "What is not known, such as a queue's depth on Kafka, is null.")
  public ParticipantView view() throws SQLException {
    return participants.view(Roles.seesPersonalData(caller));
  }

  /** Lets all replicas take no more commands. */
  @POST
  @Path("/pause")
  @Consumes(MediaType.APPLICATION_JSON)
  @RolesAllowed(Roles.OPERATOR)
  @Operation(
      summary = "Let all replicas finish their current commands and take no more",
      description = "Until it is resumed, also after a restart. Commands wait in the queue.")
  @APIResponse(responseCode = "204", description = "Paused now, or was so already")
  @APIResponse(responseCode = "409", description = "This service handles no commands")
  public void pause(@NotNull @Valid PauseReason why) throws SQLException {
    refuseWithoutCommands();
    participants.pause(CallingOperator.of(caller).name(), why.reason());
  }

  /** Lets all replicas take commands again. */
  @POST
  @Path("/resume")
  @Consumes(MediaType.APPLICATION_JSON)
  @RolesAllowed(Roles.OPERATOR)
  @Operation(summary = "Let all replicas take commands again, at once those that wait")
  @APIResponse(responseCode = "204", description = "Resumed now, or was not paused")
  @APIResponse(responseCode = "409", description = "This service handles no commands")
  public void resume(@NotNull @Valid PauseReason why) throws SQLException {
    refuseWithoutCommands();
    participants.resume(CallingOperator.of(caller).name(), why.reason());
  }

  /** A caller without a body is told so, if it may pause it at all. */
  @POST
  @Path("/pause")
  @RolesAllowed(Roles.OPERATOR)
  @Operation(hidden = true)
  public Response pause() {
    throw PauseReason.missing();
  }

  /** A caller without a body is told so, if it may resume it at all. */
  @POST
  @Path("/resume")
  @RolesAllowed(Roles.OPERATOR)
  @Operation(hidden = true)
  public Response resume() {
    throw PauseReason.missing();
  }

  private void refuseWithoutCommands() {
    if (!participants.canBePaused()) {
      throw HttpProblem.builder()
          .withTitle("This service handles no commands")
          .withStatus(Response.Status.CONFLICT)
          .withDetail(
              "%s orchestrates sagas and is a participant of none, so there is nothing to pause. Pause the participants."
                  .formatted(participants.name()))
          .build();
    }
  }
}
