package io.onceflow.parked.internal;

import io.onceflow.inbox.internal.parking.RedriveResult;
import io.onceflow.inbox.internal.parking.RedriveResult.Outcome;
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
import java.net.URI;
import org.eclipse.microprofile.openapi.annotations.Operation;

/**
 * What an operator is told whose redrive did not go well; the message stays parked. Each type is
 * the URL of a page, which explains it and needs no token. That of {@code second-operator-needed}
 * is one of repairs, too: where there are repairs, either page may be shown.
 */
@Path(
    "/problems/{type: still-unhandled|saga-ended|saga-not-asked|edited-meanwhile|second-operator-needed|parked-too-long}")
public class RedriveProblem {

  private static final int RETRY_AFTER_SECONDS = 5;

  /** The answer, to be thrown. */
  static HttpProblem of(RedriveResult redrive) {
    Kind kind = Kind.valueOf(redrive.outcome().name());
    String path = "/problems/" + kind.outcome.word();
    HttpProblem.Builder problem =
        HttpProblem.builder()
            .withType(URI.create(path))
            .withTitle(kind.title)
            .withStatus(kind.status)
            .withDetail(redrive.detail())
            .withHeader(HttpHeaders.LINK, "<" + path + ">; rel=\"describedby\"");
    return kind.status == Status.SERVICE_UNAVAILABLE
        ? problem.withHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS).build()
        : problem.build();
  }

  /** Explains the type. */
  @GET
  @PermitAll
  @Produces(MediaType.TEXT_PLAIN)
  @Operation(hidden = true)
  public String explain(@PathParam("type") String type) {
    Kind kind = Kind.named(type);
    return "%s (%d)\n\n%s\n".formatted(kind.title, kind.status.getStatusCode(), kind.text);
  }

  private enum Kind {
    STILL_UNHANDLED(
        Outcome.STILL_UNHANDLED,
        Status.CONFLICT,
        "The message still cannot be handled",
        "It was handled once more, and what it is parked for is still there; reason and detail"
            + " were\nwritten anew. It stays parked. Remove the cause first, or edit the message."),
    SAGA_ENDED(
        Outcome.SAGA_ENDED,
        Status.CONFLICT,
        "The saga does not want the message any more",
        "The saga has ended, or does not wait for this step now; the detail of the answer says"
            + " which.\nThe message stays parked, and can be deleted."),
    EDITED_MEANWHILE(
        Outcome.EDITED_MEANWHILE,
        Status.CONFLICT,
        "The message was edited meanwhile",
        "Somebody edited it while it was being redriven. It stays parked.\n"
            + "Read it again before you redrive it."),
    SECOND_OPERATOR_NEEDED(
        Outcome.SECOND_OPERATOR_NEEDED,
        Status.CONFLICT,
        "Another operator has to redrive it",
        "The operator who redrives the message has edited it last, and"
            + " onceflow.inbox.edits.second-operator.above wants\nanother; or a repair undoes more"
            + " sagas than onceflow.repairs.second-operator.above allows one\noperator. Nothing has"
            + " changed. Somebody else with the role operator has to redrive the message, or to\n"
            + "approve the repair."),
    TOO_OLD(
        Outcome.TOO_OLD,
        Status.CONFLICT,
        "The message was parked too long ago",
        "That was longer ago than onceflow.inbox.longest-redrive-age: inbox rows may have been"
            + " deleted\nsince, so it could take effect twice. It stays parked, and can be"
            + " deleted."),
    SAGA_NOT_ASKED(
        Outcome.SAGA_NOT_ASKED,
        Status.SERVICE_UNAVAILABLE,
        "The saga could not be asked",
        "Whether the saga still wants the message is asked under onceflow.sagas.url, with your"
            + " token.\nThe detail of the answer says what came of it. The message stays parked;"
            + " try again.");

    private final Outcome outcome;
    private final Status status;
    private final String title;
    private final String text;

    Kind(Outcome outcome, Status status, String title, String text) {
      this.outcome = outcome;
      this.status = status;
      this.title = title;
      this.text = text;
    }

    static Kind named(String type) {
      for (Kind kind : values()) {
        if (kind.outcome.word().equals(type)) {
          return kind;
        }
      }
      throw new NotFoundException("There is no such problem.");
    }
  }
}
