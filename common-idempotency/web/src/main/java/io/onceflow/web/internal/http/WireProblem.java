package io.onceflow.web.internal.http;

import io.onceflow.idempotency.internal.problem.ProblemAddress;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.json.JsonObject;
import java.util.Map;

/**
 * A problem (RFC 9457) that is answered before JAX-RS sees the request.
 *
 * @param headers beside those of every problem
 */
record WireProblem(int status, String detail, Map<String, String> headers) {

  static final String MEDIA_TYPE = "application/problem+json";

  private static final long NO_ERROR = 0;

  WireProblem(int status, String detail) {
    this(status, detail, Map.of());
  }

  /** Answers, and reads no more of the request: closes the connection, or resets the stream. */
  void sendAndClose(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    if (response.ended() || response.headWritten()) {
      return;
    }
    headers.forEach(response::putHeader);
    response
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, MEDIA_TYPE)
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .putHeader("X-Content-Type-Options", "nosniff");
    if (request.version() == HttpVersion.HTTP_2) {
      response.end(body(request.path())).onComplete(sent -> response.reset(NO_ERROR));
    } else {
      // UnreadableRequests sees the header, reads no more and closes.
      response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE).end(body(request.path()));
    }
  }

  Buffer body(String instance) {
    return new JsonObject()
        .put("type", ProblemAddress.of(status).toString())
        .put("title", ProblemAddress.reason(status))
        .put("status", status)
        .put("detail", detail)
        .put("instance", instance)
        .toBuffer();
  }
}
