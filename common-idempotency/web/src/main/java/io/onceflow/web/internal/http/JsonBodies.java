package io.onceflow.web.internal.http;

import io.onceflow.idempotency.internal.store.StoredResponse;
import io.quarkiverse.resteasy.problem.HttpProblem;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.PushbackInputStream;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Answers 415 to a body that does not say that it is JSON in UTF-8, unless the resource consumes
 * another type. Without a {@code Content-Type} it would be read as JSON nevertheless, and would
 * pass by the checks that only JSON gets. A request without a body needs no type.
 *
 * <p>After the guard's filter, which reads the key and the body: a repeat of what was answered
 * before is answered so again.
 */
@Provider
@Priority(Priorities.USER + 100)
public class JsonBodies implements ContainerRequestFilter {

  private static final Set<String> WITHOUT_BODY = Set.of("GET", "HEAD", "OPTIONS");

  @Context ResourceInfo resource;

  @Override
  public void filter(ContainerRequestContext request) throws IOException {
    if (!WITHOUT_BODY.contains(request.getMethod())
        && !isJson(request.getMediaType())
        && !isConsumed(request.getMediaType())
        && hasBody(request)) {
      throw HttpProblem.builder()
          .withTitle("Unsupported Media Type")
          .withStatus(Response.Status.UNSUPPORTED_MEDIA_TYPE)
          .withDetail("A body needs Content-Type: application/json, and its charset is UTF-8.")
          .withHeader(HttpHeaders.ACCEPT, MediaType.APPLICATION_JSON)
          .build();
    }
  }

  /** Its charset is UTF-8: UnreadableMediaType has let it through. */
  private static boolean isJson(@Nullable MediaType type) {
    return type != null && StoredResponse.isJson(type);
  }

  private boolean isConsumed(@Nullable MediaType type) {
    @Nullable Consumes ofMethod = resource.getResourceMethod().getAnnotation(Consumes.class);
    @Nullable Consumes consumed =
        ofMethod == null ? resource.getResourceClass().getAnnotation(Consumes.class) : ofMethod;
    return type != null
        && !StoredResponse.isJson(type)
        && !type.isWildcardType()
        && consumed != null
        && Arrays.stream(consumed.value()).map(MediaType::valueOf).anyMatch(type::isCompatible);
  }

  /** Reads a byte and puts it back: HTTP/2 announces no length. */
  private static boolean hasBody(ContainerRequestContext request) throws IOException {
    PushbackInputStream body = new PushbackInputStream(request.getEntityStream());
    int first = body.read();
    if (first >= 0) {
      body.unread(first);
    }
    request.setEntityStream(body);
    return first >= 0;
  }
}
