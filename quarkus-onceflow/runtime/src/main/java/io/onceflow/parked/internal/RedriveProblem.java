package io.onceflow.parked.internal;

import io.onceflow.inbox.internal.parking.RedriveResult;
import io.onceflow.inbox.internal.parking.RedriveResult.Outcome;
import io.onceflow.web.ExplainedProblem;
import io.quarkiverse.resteasy.problem.HttpProblem;
import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response.Status;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;

/**
 * What an operator is told whose redrive did not go well; the message stays parked. Each type is
 * the URL of a page, which explains it and needs no token. That of {@code second-operator-needed}
 * is one of repairs, too: where there are repairs, either page may be shown.
 */
@Path(
    "/problems/{type:"
        + " still-unhandled|saga-ended|saga-not-asked|edited-meanwhile|second-operator-needed|parked-too-long}")
public class RedriveProblem {

  private static final List<ExplainedProblem> ALL =
      List.of(
          conflict(
              Outcome.STILL_UNHANDLED,
              "The message still cannot be handled",
              "It was handled once more, and the cause is still there; reason and detail were"
                  + " updated.",
              "It stays parked. Remove the cause first, or edit the message."),
          conflict(
              Outcome.SAGA_ENDED,
              "The saga does not want the message any more",
              "The saga has ended, or does not wait for this step now; the detail of the answer"
                  + " says which.",
              "The message stays parked, and can be deleted."),
          conflict(
              Outcome.EDITED_MEANWHILE,
              "The message was edited meanwhile",
              "It was edited while it was being redriven.",
              "It stays parked. Read it again before you redrive it."),
          conflict(
              Outcome.SECOND_OPERATOR_NEEDED,
              "Another operator has to redrive it",
              "The operator who redrives the message has edited it last, and"
                  + " onceflow.inbox.edits.second-operator.above requires another; or a repair"
                  + " compensates more sagas than onceflow.repairs.second-operator.above allows one operator.",
              "Nothing has changed. Another user with the role operator has to redrive the"
                  + " message, or to approve the repair."),
          conflict(
              Outcome.TOO_OLD,
              "The message was parked too long ago",
              "That was longer ago than onceflow.inbox.longest-redrive-age: inbox rows may have"
                  + " been deleted since, so it could take effect twice.",
              "It stays parked, and can be deleted."),
          new ExplainedProblem(
              Outcome.SAGA_NOT_ASKED.word(),
              Status.SERVICE_UNAVAILABLE,
              "The saga could not be asked",
              "Whether the saga still waits for the message is checked at onceflow.sagas.url, with"
                  + " your token. The detail of the answer has the result.",
              "The message stays parked; try again."));

  private static ExplainedProblem conflict(
      Outcome outcome, String title, String meaning, String effect) {
    return new ExplainedProblem(outcome.word(), title, meaning, effect);
  }

  /** The answer, to be thrown. */
  static HttpProblem of(RedriveResult redrive) {
    return find(redrive.outcome().word()).orElseThrow().because(redrive.detail());
  }

  private static Optional<ExplainedProblem> find(String type) {
    return ALL.stream().filter(problem -> problem.slug().equals(type)).findAny();
  }

  /** Explains the type. */
  @GET
  @PermitAll
  @Produces(MediaType.TEXT_PLAIN)
  @Operation(hidden = true)
  public String explain(@PathParam("type") String type) {
    return find(type)
        .map(ExplainedProblem::page)
        .orElseThrow(() -> new NotFoundException("There is no problem type " + type));
  }
}
