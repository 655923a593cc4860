package io.onceflow.saga.internal.repair;

import io.onceflow.idempotency.internal.problem.ProblemAddress;
import io.quarkiverse.resteasy.problem.HttpProblem;
import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response.Status;
import org.eclipse.microprofile.openapi.annotations.Operation;

/**
 * What an operator is told when a repair refuses a request. Each type is the URL of a page, which
 * explains it and needs no token.
 */
@Path("/problems/{type: repair-under-way|second-operator-needed|repair-refuses}")
public class RepairProblem {

  /** The answer, to be thrown. */
  static RuntimeException of(RepairRefused refused) {
    return switch (refused.because()) {
      case UNKNOWN -> new NotFoundException(refused.getMessage(), refused);
      case UNDER_WAY, SECOND_OPERATOR_NEEDED, REFUSES -> conflict(refused);
    };
  }

  private static HttpProblem conflict(RepairRefused refused) {
    Kind kind = Kind.of(refused.because());
    return HttpProblem.builder()
        .withType(ProblemAddress.of(kind.type))
        .withTitle(kind.title)
        .withStatus(Status.CONFLICT)
        .withDetail(refused.getMessage())
        .withHeader(HttpHeaders.LINK, ProblemAddress.link(kind.type))
        .build();
  }

  /** Explains the type. */
  @GET
  @PermitAll
  @Produces(MediaType.TEXT_PLAIN)
  @Operation(hidden = true)
  public String explain(@PathParam("type") String type) {
    Kind kind = Kind.named(type);
    return "%s (409)\n\n%s\n".formatted(kind.title, kind.text);
  }

  private enum Kind {
    UNDER_WAY(
        "repair-under-way",
        "The same repair is under way",
        "A repair of the same action and the same filter is not finished; the detail of the answer"
            + " names it.\nNothing has changed. Follow that one, or stop it first."),
    SECOND_OPERATOR_NEEDED(
        "second-operator-needed",
        "Another operator has to approve",
        "The repair undoes more sagas than onceflow.repairs.second-operator.above allows one"
            + " operator;\nor the operator who redrives the message has edited it last, and"
            + " onceflow.inbox.edits.second-operator.above wants another.\nNothing has changed."
            + " Somebody else with the role operator has to approve the repair, or to redrive."),
    REFUSES(
        "repair-refuses",
        "The repair refuses this request as it stands",
        "The detail of the answer says how the repair stands. Nothing has changed.");

    private final String type;
    private final String title;
    private final String text;

    Kind(String type, String title, String text) {
      this.type = type;
      this.title = title;
      this.text = text;
    }

    static Kind of(RepairRefused.Because because) {
      return valueOf(because.name());
    }

    static Kind named(String type) {
      for (Kind kind : values()) {
        if (kind.type.equals(type)) {
          return kind;
        }
      }
      throw new NotFoundException("There is no such problem.");
    }
  }
}
