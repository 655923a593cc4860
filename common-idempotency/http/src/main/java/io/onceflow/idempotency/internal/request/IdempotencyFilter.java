package io.onceflow.idempotency.internal.request;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.MalformedBody;
import io.onceflow.core.internal.MalformedIdempotencyKey;
import io.onceflow.idempotency.Idempotent;
import io.onceflow.idempotency.internal.admission.AdmissionFilter;
import io.onceflow.idempotency.internal.admission.MemoryLimits;
import io.onceflow.idempotency.internal.problem.Problem;
import io.onceflow.idempotency.internal.problem.ProblemType;
import io.quarkus.arc.NoClassInterceptors;
import jakarta.annotation.Priority;
import jakarta.ws.rs.ClientErrorException;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Provider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads key and body of a guarded request before its parameters are bound. A malformed key is
 * refused before any look-up.
 */
@Provider
@Idempotent
@Priority(Priorities.USER)
public class IdempotencyFilter implements ContainerRequestFilter {

  public static final String HEADER = "Idempotency-Key";

  private final CurrentRequest guarded;
  private final MemoryLimits memory;

  IdempotencyFilter(CurrentRequest guarded, MemoryLimits memory) {
    this.guarded = guarded;
    this.memory = memory;
  }

  /**
   * {@code @Idempotent} on this class binds the filter to guarded methods; it must not bind the
   * interceptor to the filter.
   */
  @Override
  @NoClassInterceptors
  public void filter(ContainerRequestContext request) {
    String path = request.getUriInfo().getRequestUri().getRawPath();
    List<String> header = request.getHeaders().get(HEADER);
    if (header == null || header.isEmpty()) {
      String detail =
          ("%s %s came without the header Idempotency-Key, and nothing was done. Send one of your own"
                  + " making: a fresh UUID for each operation, the same one for each repeat.")
              .formatted(request.getMethod(), path);
      refuse(request, ProblemType.IDEMPOTENCY_KEY_MISSING, detail);
      return;
    }
    if (header.size() > 1) {
      String detail =
          "The header Idempotency-Key came %s times, and nothing was done. Send it once."
              .formatted(header.size());
      refuse(request, ProblemType.IDEMPOTENCY_KEY_MALFORMED, detail);
      return;
    }
    try {
      IdempotencyKey key = IdempotencyKey.parse(header.getFirst());
      Fingerprint fingerprint = fingerprint(request);
      if (fingerprint != null) {
        Optional<Duration> wait = Preferences.wait(request.getHeaders().get(Preferences.HEADER));
        guarded.read(key, fingerprint, path, wait);
      }
    } catch (MalformedIdempotencyKey e) {
      refuse(request, ProblemType.IDEMPOTENCY_KEY_MALFORMED, String.valueOf(e.getMessage()));
    } catch (MalformedBody e) {
      refuse(request, ProblemType.MALFORMED_BODY, String.valueOf(e.getMessage()));
    }
  }

  /** Null if the limit of body bytes is reached, and the request is refused. */
  private @Nullable Fingerprint fingerprint(ContainerRequestContext request) {
    byte[] body = body(request.getEntityStream());
    if (!memory.admitBody(request, body.length)) {
      return null;
    }
    request.setEntityStream(new ByteArrayInputStream(body));
    return RequestFingerprint.of(
        request.getMethod(), address(request), body, request.getMediaType());
  }

  /**
   * As the client sent it: {@code UriInfo} leaves out the query, and all matrix parameters, where a
   * segment of the path has one.
   */
  private static URI address(ContainerRequestContext request) {
    return URI.create(AdmissionFilter.context(request).serverRequest().getRequestAbsoluteUri())
        .normalize();
  }

  /** Answers 408 if the client closes the connection before the body is complete. */
  private static byte[] body(InputStream stream) {
    try {
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new ClientErrorException(
          "The body is incomplete; nothing was done.", Response.Status.REQUEST_TIMEOUT, e);
    }
  }

  private static void refuse(ContainerRequestContext request, ProblemType type, String detail) {
    String path = request.getUriInfo().getRequestUri().getRawPath();
    request.abortWith(Problem.response(type, detail, path));
  }
}
