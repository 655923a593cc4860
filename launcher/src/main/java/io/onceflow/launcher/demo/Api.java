package io.onceflow.launcher.demo;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** The services as one person sees them. */
final class Api {

  /**
   * Longer than the slowest answer of the simulated gateway and carrier, for which no request
   * waits.
   */
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(15);

  private final HttpClient http = HttpClient.newHttpClient();
  private final String token;
  private final Duration answerWithin;

  /** With the person's token. */
  Api(String token) {
    this(token, ANSWER_WITHIN);
  }

  Api(String token, Duration answerWithin) {
    this.token = token;
    this.answerWithin = answerWithin;
  }

  ApiResponse get(URI service, String path) throws IOException, InterruptedException {
    return send(request(service, path).GET().build());
  }

  /** Posts JSON under an idempotency key, quoted as the header's syntax asks. */
  ApiResponse post(URI service, String path, String key, String body, Trace trace)
      throws IOException, InterruptedException {
    return send(
        request(service, path)
            .header("traceparent", trace.header())
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", "\"" + key + "\"")
            .POST(BodyPublishers.ofString(body))
            .build());
  }

  private HttpRequest.Builder request(URI service, String path) {
    return HttpRequest.newBuilder(service.resolve(path))
        .timeout(answerWithin)
        .header("Authorization", "Bearer " + token);
  }

  private ApiResponse send(HttpRequest request) throws IOException, InterruptedException {
    try {
      return ApiResponse.of(http.send(request, BodyHandlers.ofString()));
    } catch (ConnectException e) {
      throw new IOException("No service answers at " + request.uri(), e);
    }
  }
}
