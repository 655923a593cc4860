package io.onceflow.reconciliation.internal.operators;

import io.onceflow.idempotency.internal.problem.ProblemAddress;
import io.onceflow.reconciliation.internal.difference.MendRefused;
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
 * What an operator is told when reconciliation refuses a request. Each type is the URL of a page,
 * which explains it and needs no token.
 */
@Path("/problems/{type: reconciliation-under-way|mend-refused|mend-unknown}")
public class ReconciliationProblem {

  private static final int RETRY_AFTER_SECONDS = 5;

  static HttpProblem underWay(String detail) {
    return Kind.UNDER_WAY.because(detail);
  }

  /** The answer, to be thrown. */
  static RuntimeException of(MendRefused refused) {
    String detail = String.valueOf(refused.getMessage());
    return switch (refused.because()) {
      case UNKNOWN -> new NotFoundException(detail, refused);
      case REFUSED -> Kind.REFUSED.because(detail);
      case UNAVAILABLE -> Kind.MEND_UNKNOWN.because(detail);
    };
  }

  /** Explains the type. */
  @GET
  @PermitAll
  @Produces(MediaType.TEXT_PLAIN)
  @Operation(hidden = true)
  public String explain(@PathParam("type") String type) {
    Kind kind = Kind.named(type);
    return "%s (%s)\n\n%s\n".formatted(kind.title, kind.status.getStatusCode(), kind.text);
  }

  private enum Kind {
    UNDER_WAY(
        "reconciliation-under-way",
        Status.CONFLICT,
        "This day is being compared",
        "A run of the same comparison and the same day is not finished; the detail of the answer"
            + " names it.\nNothing has changed. Follow that one."),
    REFUSED(
        "mend-refused",
        Status.CONFLICT,
        "This difference is left as it is",
        "The detail of the answer has the state of the difference, or says that there is no repair"
            + " for it.\n"
            + "Nothing has changed. What to do about each kind:"
            + " docs/operations/reconciliation.md."),
    MEND_UNKNOWN(
        "mend-unknown",
        Status.SERVICE_UNAVAILABLE,
        "The result of the mend is not known",
        "The other system did not answer, or not as it should.\nRepeat the request: it is sent"
            + " under the same idempotency key, so it takes effect once.");

    private final String type;
    private final Status status;
    private final String title;
    private final String text;

    Kind(String type, Status status, String title, String text) {
      this.type = type;
      this.status = status;
      this.title = title;
      this.text = text;
    }

    HttpProblem because(String detail) {
      HttpProblem.Builder problem =
          HttpProblem.builder()
              .withType(ProblemAddress.of(type))
              .withTitle(title)
              .withStatus(status)
              .withDetail(detail)
              .withHeader(HttpHeaders.LINK, ProblemAddress.link(type));
      return status == Status.SERVICE_UNAVAILABLE
          ? problem.withHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS).build()
          : problem.build();
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
