package io.onceflow.web.internal.http;

import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a request for what its first line and headers say, before anything is routed, counted or
 * read, and closes the connection. A proxy in front might understand such a request in another way.
 */
@ApplicationScoped
class RequestChecks {

  /** Before all other filters. */
  static final int FIRST = 1_000;

  private final long limit;

  RequestChecks(@ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize limit) {
    this.limit = limit.asLongValue();
  }

  void register(@Observes Filters filters) {
    filters.register(this::check, FIRST);
  }

  /** What the router itself refuses, such as a malformed Host, is answered without a body. */
  void registerFailures(@Observes Router router) {
    router.route().order(-FIRST).failureHandler(RequestChecks::explain);
    router.errorHandler(400, failed -> unreadable(400, failed));
  }

  private static void explain(RoutingContext failed) {
    int status = failed.statusCode();
    if (status >= 400 && status < 500 && status != 401 && status != 403) {
      unreadable(status, failed);
    } else {
      failed.next();
    }
  }

  private static void unreadable(int status, RoutingContext failed) {
    new WireProblem(status, "The server cannot read this request.").sendAndClose(failed.request());
  }

  private void check(RoutingContext routing) {
    Optional<WireProblem> problem = problemOf(routing.request(), limit);
    if (problem.isPresent()) {
      problem.get().sendAndClose(routing.request());
    } else {
      routing.next();
    }
  }

  static Optional<WireProblem> problemOf(HttpServerRequest request, long limit) {
    if (!Methods.isKnown(request.method().name())) {
      return problem(501, "The method is none of RFC 9110.");
    }
    if (request.headers().getAll(HttpHeaders.HOST).size() > 1) {
      return problem(400, "The header Host came more than once.");
    }
    if (!isFramedClearly(request)) {
      return problem(400, "Transfer-Encoding may only be chunked, once, and in HTTP/1.1.");
    }
    if (isEncoded(request.headers().getAll(HttpHeaders.CONTENT_ENCODING))) {
      return Optional.of(
          new WireProblem(
              415,
              "A body with a Content-Encoding is not supported.",
              Map.of("Accept-Encoding", "identity")));
    }
    return contentLength(request) > limit ? Optional.of(tooLarge(limit)) : Optional.empty();
  }

  static WireProblem tooLarge(long limit) {
    return new WireProblem(413, "A body may have at most %s bytes.".formatted(limit));
  }

  private static boolean isFramedClearly(HttpServerRequest request) {
    List<String> codings = request.headers().getAll(HttpHeaders.TRANSFER_ENCODING);
    return codings.isEmpty()
        || codings.size() == 1
            && codings.getFirst().strip().equalsIgnoreCase("chunked")
            && request.version() == HttpVersion.HTTP_1_1;
  }

  private static boolean isEncoded(List<String> encodings) {
    return encodings.stream().anyMatch(it -> !it.strip().equalsIgnoreCase("identity"));
  }

  /** Zero where there is none; the HTTP server refuses one that is not a number. */
  static long contentLength(HttpServerRequest request) {
    @Nullable String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    try {
      return length == null ? 0 : Long.parseLong(length);
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE;
    }
  }

  private static Optional<WireProblem> problem(int status, String detail) {
    return Optional.of(new WireProblem(status, detail));
  }
}
