package io.onceflow.steps.internal;

import io.onceflow.inbox.internal.HandledSteps;
import jakarta.annotation.security.RolesAllowed;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.sql.SQLException;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/**
 * What this service, as a participant, knows of the steps of one saga. It is asked by POST, since a
 * customer and a key in a URL would come into access logs.
 */
@Path("/participant/steps")
@RolesAllowed({"viewer", "operator"})
@Tag(name = "Participant")
@Produces(MediaType.APPLICATION_JSON)
public class HandledStepsResource {

  private final HandledSteps steps;

  HandledStepsResource(HandledSteps steps) {
    this.steps = steps;
  }

  /** The steps that have arrived here. Changes nothing. */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      summary = "Read when steps of a saga arrived, began and were answered here",
      description =
          "Reads by the step keys and changes nothing. The answer names steps only, nobody's key;"
              + " the times are of this service's database. The orchestrator asks it for the"
              + " timeline of a saga.")
  @APIResponse(responseCode = "200", description = "The steps that have arrived here")
  public StepsAnswer read(@NotNull(message = "is missing") @Valid StepsQuestion question)
      throws SQLException {
    return new StepsAnswer(steps.find(question.owner(), question.names()));
  }

  /** A caller without a body is told so, if it may read steps at all. */
  @POST
  @Operation(hidden = true)
  public StepsAnswer read() {
    throw new BadRequestException("a body is missing that says whose steps are asked for");
  }
}
