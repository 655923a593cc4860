package io.onceflow.service.http;

import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a body that is announced to be too large, with a problem. Quarkus' own limit, of the same
 * size, has no words; it stays behind this one for bodies of unannounced length.
 *
 * <p>And hangs up on whoever takes too long to send a body. Quarkus itself bounds the time between
 * two bytes only, and a thread that reads a body cannot do anything else meanwhile: as many callers
 * as there are threads would hold up everybody, each with a byte now and then.
 */
@ApplicationScoped
class BodyLimit {

  /** Before Quarkus' own check of the limit. */
  private static final int EARLY = 100;

  private final MemorySize limit;
  private final Duration within;

  /**
   * @param within for all of a body, from the moment at which the headers are read
   */
  BodyLimit(
      @ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize limit,
      @ConfigProperty(name = "quarkus.http.read-timeout") Duration within) {
    this.limit = limit;
    this.within = within;
  }

  void register(@Observes Filters filters) {
    filters.register(this::check, EARLY);
  }

  private void check(RoutingContext request) {
    HttpServerRequest http = request.request();
    long length = announced(http.getHeader(HttpHeaders.CONTENT_LENGTH));
    if (length > limit.asLongValue()) {
      refuse(request);
      return;
    }
    if (length > 0 || http.headers().contains(HttpHeaders.TRANSFER_ENCODING)) {
      hangUpUnlessSent(request);
    }
    request.next();
  }

  private void hangUpUnlessSent(RoutingContext request) {
    long timer =
        request
            .vertx()
            .setTimer(
                within.toMillis(),
                late -> {
                  if (!request.request().isEnded()) {
                    request.request().connection().close();
                  }
                });
    request.addEndHandler(answered -> request.vertx().cancelTimer(timer));
  }

  private void refuse(RoutingContext request) {
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
        .end(problem.toBuffer())
        // What is still sent of the body is not read.
        .onComplete(sent -> request.request().connection().close());
  }

  private static long announced(@Nullable String contentLength) {
    try {
      return contentLength == null ? 0 : Long.parseLong(contentLength);
    } catch (NumberFormatException e) {
      return 0; // not ours to judge: the HTTP server refuses it
    }
  }
}
