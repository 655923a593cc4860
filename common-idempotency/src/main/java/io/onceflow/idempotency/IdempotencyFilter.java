package io.onceflow.idempotency;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quarkus.arc.NoClassInterceptors;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.ext.Provider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads key and body of a guarded request before the method is looked at: a key that breaks the
 * syntax is refused before any lookup.
 */
@Provider
@Idempotent
@Priority(Priorities.USER)
public class IdempotencyFilter implements ContainerRequestFilter {

  static final String HEADER = "Idempotency-Key";

  private final GuardedRequest guarded;

  IdempotencyFilter(GuardedRequest guarded) {
    this.guarded = guarded;
  }

  /**
   * The annotation binds the filter to its methods; the interceptor of the same name is for those.
   */
  @Override
  @NoClassInterceptors
  public void filter(ContainerRequestContext request) throws IOException {
    URI uri = request.getUriInfo().getRequestUri();
    String path = uri.getRawPath();
    List<String> header = request.getHeaders().get(HEADER);
    if (header == null || header.isEmpty()) {
      refuse(
          request, ProblemType.IDEMPOTENCY_KEY_MISSING, "The header Idempotency-Key is missing.");
      return;
    }
    if (header.size() > 1) {
      String detail = "The header Idempotency-Key was sent %d times.".formatted(header.size());
      refuse(request, ProblemType.IDEMPOTENCY_KEY_MALFORMED, detail);
      return;
    }
    try {
      IdempotencyKey key = IdempotencyKey.parse(header.getFirst());
      guarded.read(
          key,
          fingerprint(request, path, uri.getRawQuery()),
          path,
          Preferences.wait(request.getHeaders().get(Preferences.HEADER)));
    } catch (MalformedIdempotencyKey e) {
      refuse(request, ProblemType.IDEMPOTENCY_KEY_MALFORMED, String.valueOf(e.getMessage()));
    } catch (MalformedBody e) {
      refuse(request, ProblemType.MALFORMED_BODY, String.valueOf(e.getMessage()));
    }
  }

  private static Fingerprint fingerprint(
      ContainerRequestContext request, String path, @Nullable String query) throws IOException {
    byte[] body = request.getEntityStream().readAllBytes();
    request.setEntityStream(new ByteArrayInputStream(body));
    return Fingerprint.of(
        utf8(request.getMethod()),
        utf8(path),
        utf8(query == null ? "" : query),
        canonical(body, request));
  }

  private static byte[] canonical(byte[] body, ContainerRequestContext request) {
    try {
      return CanonicalBody.of(body, request.getMediaType());
    } catch (IOException e) {
      throw new MalformedBody(e);
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void refuse(ContainerRequestContext request, ProblemType type, String detail) {
    String path = request.getUriInfo().getRequestUri().getRawPath();
    request.abortWith(Problem.response(type, detail, path));
  }

  private static final class MalformedBody extends OnceflowException {

    private static final long serialVersionUID = 1L;

    private MalformedBody(IOException cause) {
      super("The body is not well-formed JSON: " + what(cause) + ".", cause);
    }

    /** Without the parser's own account of where it was, which is for whoever has its source. */
    private static @Nullable String what(IOException cause) {
      return cause instanceof JsonProcessingException json
          ? json.getOriginalMessage()
          : cause.getMessage();
    }
  }
}
