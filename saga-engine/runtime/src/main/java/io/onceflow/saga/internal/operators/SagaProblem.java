package io.onceflow.saga.internal.operators;

import io.onceflow.idempotency.internal.problem.ProblemAddress;
import io.onceflow.saga.internal.runtime.SagaFailed;
import io.quarkiverse.resteasy.problem.HttpProblem;
import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.logging.Logger;

/**
 * The refusals of an operator's request that a saga or a repair does not allow as it stands. Each
 * type is the URL of a page, which explains it and needs no token.
 */
@Path(
    "/problems/{type: saga-refuses|repair-under-way|second-operator-needed|repair-refuses|definition-refuses}")
public class SagaProblem {

  private static final Logger LOG = Logger.getLogger(SagaProblem.class);

  /** The types. */
  public enum Type {
    SAGA_REFUSES(
        "Not possible in the saga's current state",
        """
        The detail of the answer says why the request makes no sense for this saga now.
        Nothing has changed, and nothing was written to its history. Read the saga to see how it \
        stands.
        """),
    REPAIR_UNDER_WAY(
        "The same repair is under way",
        """
        A repair of the same action and the same filter is not finished; the detail of the answer \
        names it.
        Nothing has changed. Follow that one, or stop it first.
        """),
    SECOND_OPERATOR_NEEDED(
        "Another operator has to approve",
        """
        The saga waits for the approval of two operators, and the caller is the one who has approved;
        the repair undoes more sagas than onceflow.repairs.second-operator.above allows one \
        operator;
        or the operator who redrives the message has edited it last, and \
        onceflow.inbox.edits.second-operator.above wants another.
        Nothing has changed. Another user with the role for it has to approve, or to redrive.
        """),
    REPAIR_REFUSES(
        "Not possible in the repair's current state",
        "The detail of the answer says how the repair stands. Nothing has changed.\n"),
    DEFINITION_REFUSES(
        "Not possible for the definition now",
        """
        The detail of the answer says why: it is on hold already, or is not; or a living replica does \
        not know the version, and would defer its sagas.
        Nothing has changed.
        """);

    private final String title;
    private final String text;

    Type(String title, String text) {
      this.title = title;
      this.text = text;
    }

    private String slug() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The answer, to be thrown. */
    public HttpProblem because(String detail) {
      return HttpProblem.builder()
          .withType(ProblemAddress.of(slug()))
          .withTitle(title)
          .withStatus(Response.Status.CONFLICT)
          .withDetail(detail)
          .withHeader(HttpHeaders.LINK, ProblemAddress.link(slug()))
          .build();
    }
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
      throw Type.SAGA_REFUSES.because(
          "Saga %s cannot be shown: %s. A replica of the release that wrote it can show it."
              .formatted(id, e.getMessage()));
    }
  }

  /** Empty where there is no such saga. */
  public interface Read<T> {
    Optional<T> read() throws SQLException;
  }

  /**
   * Moves a saga for a request.
   *
   * @throws HttpProblem where handling the saga fails, which changes nothing
   */
  static <T> T moved(UUID id, Move<T> move) throws SQLException {
    try {
      return move.run();
    } catch (SagaFailed e) {
      LOG.warnf(e, "saga %s could not be handled for an operator", id);
      throw Type.SAGA_REFUSES.because(
          "Saga %s refuses: %s. Nothing has changed; the log has the cause."
              .formatted(id, e.getMessage()));
    }
  }

  /** In a transaction of its own. */
  interface Move<T> {
    T run() throws SQLException;
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
  public String explain(@PathParam("type") String slug) {
    return Stream.of(Type.values())
        .filter(type -> type.slug().equals(slug))
        .map(type -> "%s (409)\n\n%s".formatted(type.title, type.text))
        .findFirst()
        .orElseThrow(NotFoundException::new);
  }
}
