package io.onceflow.parked.internal;

import io.onceflow.inbox.internal.parking.RedriveResult.Outcome;
import io.onceflow.inbox.internal.parking.RedriveResult;
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
import java.util.Arrays;
import org.eclipse.microprofile.openapi.annotations.Operation;

/**
 * What an operator is told whose redrive did not go well; the message stays parked. Each type is
 * the URL of a page, which explains it and needs no token. That of {@code second-operator-needed}
 * is one of repairs, too: where there are repairs, either page may be shown.
 */
@Path(
    "/problems/{type: still-unhandled|saga-ended|saga-not-asked|edited-meanwhile|second-operator-needed|parked-too-long}")
public class RedriveProblem {

  /** The answer, to be thrown. */
  static HttpProblem of(RedriveResult redrive) {
    return Kind.valueOf(redrive.outcome().name()).problem.because(redrive.detail());
  }

  /** Explains the type. */
  @GET
  @PermitAll
  @Produces(MediaType.TEXT_PLAIN)
  @Operation(hidden = true)
  public String explain(@PathParam("type") String type) {
    return Arrays.stream(Kind.values())
        .map(kind -> kind.problem)
        .filter(problem -> problem.slug().equals(type))
        .map(ExplainedProblem::page)
        .findAny()
        .orElseThrow(() -> new NotFoundException("There is no problem type " + type));
  }

  /** By the names of the outcomes. */
  private enum Kind {
    STILL_UNHANDLED(
        Outcome.STILL_UNHANDLED,
        "The message still cannot be handled",
        "It was handled once more, and the cause is still there; reason and detail were updated.",
        "It stays parked. Remove the cause first, or edit the message."),
    SAGA_ENDED(
        Outcome.SAGA_ENDED,
        "The saga does not want the message any more",
        "The saga has ended, or does not wait for this step now; the detail of the answer says"
            + " which.",
        "The message stays parked, and can be deleted."),
    EDITED_MEANWHILE(
        Outcome.EDITED_MEANWHILE,
        "The message was edited meanwhile",
        "It was edited while it was being redriven.",
        "It stays parked. Read it again before you redrive it."),
    SECOND_OPERATOR_NEEDED(
        Outcome.SECOND_OPERATOR_NEEDED,
        "Another operator has to redrive it",
        "The operator who redrives the message has edited it last, and"
            + " onceflow.inbox.edits.second-operator.above requires another; or a repair compensates more"
            + " sagas than onceflow.repairs.second-operator.above allows one operator.",
        "Nothing has changed. Another user with the role operator has to redrive the message, or to"
            + " approve the repair."),
    TOO_OLD(
        Outcome.TOO_OLD,
        "The message was parked too long ago",
        "That was longer ago than onceflow.inbox.longest-redrive-age: inbox rows may have been"
            + " deleted since, so it could take effect twice.",
        "It stays parked, and can be deleted."),
    SAGA_NOT_ASKED(
        Outcome.SAGA_NOT_ASKED,
        Status.SERVICE_UNAVAILABLE,
        "The saga could not be asked",
        "Whether the saga still waits for the message is checked at onceflow.sagas.url, with your"
            + " token. The detail of the answer has the result.",
        "The message stays parked; try again.");

    private final ExplainedProblem problem;

    Kind(Outcome outcome, String title, String meaning, String effect) {
      this(outcome, Status.CONFLICT, title, meaning, effect);
    }

    Kind(Outcome outcome, Status status, String title, String meaning, String effect) {
      this.problem = new ExplainedProblem(outcome.word(), status, title, meaning, effect);
    }
  }
}
