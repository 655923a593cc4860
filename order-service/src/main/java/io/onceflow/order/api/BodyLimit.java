package io.onceflow.order.api;

import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a body that is announced to be too large, with a problem. Quarkus' own limit, of the same
 * size, has no words; it stays behind this one for bodies of unannounced length.
 */
@ApplicationScoped
class BodyLimit {

  /** Before Quarkus' own check of the limit. */
  private static final int EARLY = 100;

  private final MemorySize limit;

  BodyLimit(@ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize limit) {
    this.limit = limit;
  }

  void register(@Observes Filters filters) {
    filters.register(this::check, EARLY);
  }

  private void check(RoutingContext request) {
    if (announced(request.request().getHeader(HttpHeaders.CONTENT_LENGTH)) <= limit.asLongValue()) {
      request.next();
      return;
    }
    JsonObject problem =
        new JsonObject()
            .put("type", "/problems/request-entity-too-large")
            .put("title", "Request Entity Too Large")
            .put("status", 413)
            .put("detail", "A body may have at most %d bytes.".formatted(limit.asLongValue()))
            .put("instance", request.request().path());
    request
        .response()
        .setStatusCode(413)
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/problem+json")
        .putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE)
        .end(problem.toBuffer());
  }

  private static long announced(@Nullable String contentLength) {
    try {
      return contentLength == null ? 0 : Long.parseLong(contentLength);
    } catch (NumberFormatException e) {
      return 0; // not ours to judge: the HTTP server refuses it
    }
  }
}
