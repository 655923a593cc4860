package io.onceflow.web.internal.json;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import io.onceflow.idempotency.internal.problem.ProblemAddress;
import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkiverse.resteasy.problem.InstanceUtils;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Answers 400 to JSON that cannot be read, and names the field in the form of the violations. */
public class UnreadableBodies {

  private static final Logger LOG = Logger.getLogger(UnreadableBodies.class);

  private static final Set<Class<?>> INTEGERS =
      Set.of(int.class, Integer.class, long.class, Long.class, short.class, Short.class);

  private static final Set<Class<?>> NUMBERS = Set.of(double.class, float.class);

  /** Writes the constants of an enumeration as they are read: by the names of their annotations. */
  private static final ObjectMapper WORDS = new ObjectMapper();

  /** Before the mappers of the problem extension, which name classes, settings and the value. */
  private static final int FIRST = 1;

  /** How the message of {@code CreatorProperty} starts. */
  private static final String REPEATED = "No fallback setter/field defined for creator property";

  /** A value of another type, or a list that is too long. */
  @ServerExceptionMapper
  public Response unexpected(MismatchedInputException unreadable, UriInfo uri) {
    String message =
        unreadable instanceof TooManyElements
            ? unreadable.getOriginalMessage()
            : "must be " + expected(unreadable.getTargetType());
    return badRequest(unreadable, message, uri);
  }

  /** A value of the right type that has no meaning there; the problem extension maps it, too. */
  @ServerExceptionMapper(priority = FIRST)
  public Response malformed(InvalidFormatException unreadable, UriInfo uri) {
    return unexpected(unreadable, uri);
  }

  /**
   * Jackson reports a property of a record that comes a second time as a record that is badly
   * defined. Any other such report is the application's fault, as is an answer that cannot be
   * written.
   */
  @ServerExceptionMapper(priority = FIRST)
  public Response repeated(InvalidDefinitionException bad, UriInfo uri) {
    if (bad.getOriginalMessage().startsWith(REPEATED)) {
      return badRequest(bad, "is there more than once", uri);
    }
    LOG.error("a body cannot be read or written as JSON", bad);
    return problem(Response.Status.INTERNAL_SERVER_ERROR, uri).build().toResponse();
  }

  /** One field that cannot be read, in the form of the other violations. */
  static Map<String, String> violation(JsonMappingException unreadable, String message) {
    return Map.of("field", path(unreadable.getPath()), "in", "body", "message", message);
  }

  private static Response badRequest(JsonMappingException bad, String message, UriInfo uri) {
    return problem(Response.Status.BAD_REQUEST, uri)
        .with("violations", List.of(violation(bad, message)))
        .build()
        .toResponse();
  }

  private static HttpProblem.Builder problem(Response.Status status, UriInfo uri) {
    return HttpProblem.builder()
        .withType(ProblemAddress.of(status.getStatusCode()))
        .withTitle(status.getReasonPhrase())
        .withStatus(status)
        .withInstance(InstanceUtils.pathToInstance(uri.getRequestUri().getRawPath()));
  }

  private static String path(List<Reference> references) {
    StringBuilder path = new StringBuilder();
    for (Reference reference : references) {
      if (reference.getFieldName() == null) {
        path.append('[').append(reference.getIndex()).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(reference.getFieldName());
      }
    }
    return path.toString();
  }

  static String expected(Class<?> type) {
    if (type.isEnum()) {
      return Arrays.stream(type.getEnumConstants())
          .map(constant -> WORDS.valueToTree(constant).asText())
          .collect(Collectors.joining(", ", "one of ", ""));
    }
    if (INTEGERS.contains(type)) {
      return "an integer number";
    }
    if (NUMBERS.contains(type) || Number.class.isAssignableFrom(type)) {
      return "a number";
    }
    if (type == boolean.class || type == Boolean.class) {
      return "true or false";
    }
    if (type == String.class) {
      return "a string";
    }
    if (Collection.class.isAssignableFrom(type)) {
      return "a list";
    }
    // Such as UUID and LocalDate.
    return type.getName().startsWith("java.") && !Map.class.isAssignableFrom(type)
        ? "a valid " + type.getSimpleName()
        : "an object";
  }
}
