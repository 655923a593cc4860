package io.onceflow.saga.internal.operators;

import io.onceflow.idempotency.internal.problem.ProblemAddress;
import io.onceflow.saga.internal.runtime.SagaFailed;
import io.quarkiverse.resteasy.problem.HttpProblem;
import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;

/**
 * The refusal of an operator's request that the saga's state does not allow. Its type is the URL of
 * this page, which explains it and needs no token.
 */
@Path(SagaProblem.PATH)
public class SagaProblem {

  private static final String TYPE = "saga-refuses";

  static final String PATH = "/problems/" + TYPE;

  private static final String TITLE = "The saga refuses this request as it stands";

  private static final String PAGE =
      TITLE
          + """
           (409)

          The detail of the answer says why the request makes no sense for this saga now.
          Nothing has changed, and nothing was written to its history. Read the saga to see how it \
          stands.
          """;

  /** The answer, to be thrown. */
  static HttpProblem refuses(String detail) {
    return HttpProblem.builder()
        .withType(ProblemAddress.of(TYPE))
        .withTitle(TITLE)
        .withStatus(Response.Status.CONFLICT)
        .withDetail(detail)
        .withHeader(HttpHeaders.LINK, ProblemAddress.link(TYPE))
        .build();
  }

  /**
   * Reads a saga for a request that only shows it.
   *
   * @throws HttpProblem where it cannot be read by this release
   */
  public static <T> T read(UUID id, Read<T> read) throws SQLException {
    try {
      return read.read().orElseThrow(() -> unknown(id));
    } catch (SagaFailed e) {
      throw refuses(
          "Saga %s cannot be shown: %s. A replica of the release that wrote it can show it."
              .formatted(id, e.getMessage()));
    }
  }

  /** Empty where there is no such saga. */
  public interface Read<T> {
    Optional<T> read() throws SQLException;
  }

  /** The answer about a saga that is not there, to be thrown. */
  public static NotFoundException unknown(UUID id) {
    return new NotFoundException(
        "There is no saga %s; if it has ended, it was deleted after its retention.".formatted(id));
  }

  /** Explains the type, and which part of the request took effect. */
  @GET
  @PermitAll
  @Produces(MediaType.TEXT_PLAIN)
  @Operation(hidden = true)
  public String explain() {
    return PAGE;
  }
}
