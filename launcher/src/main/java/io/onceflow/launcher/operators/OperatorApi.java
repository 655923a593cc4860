package io.onceflow.launcher.operators;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.onceflow.launcher.stack.LaunchException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One service's API as an operator calls it. What goes wrong is told in a sentence. */
final class OperatorApi {

  /** The API ends its longest queries after 2 s; other services are asked for 2 s each. */
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);

  private static final int FIRST_ERROR = 400;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private final URI service;
  private final String token;

  /**
   * @param service the base URL, without a path
   */
  OperatorApi(URI service, String token) {
    this.service = service;
    this.token = token;
  }

  JsonNode get(String path) throws IOException, InterruptedException {
    return call("GET", path, null, null);
  }

  /** Posts JSON; null for no body at all. */
  JsonNode post(String path, @Nullable Map<String, ?> body)
      throws IOException, InterruptedException {
    return call("POST", path, body, null);
  }

  /** Posts JSON, or no body at all, under an idempotency key. */
  JsonNode post(String path, @Nullable JsonNode body, String key)
      throws IOException, InterruptedException {
    return call("POST", path, body, key);
  }

  void delete(String path) throws IOException, InterruptedException {
    call("DELETE", path, null, null);
  }

  private JsonNode call(String method, String path, @Nullable Object body, @Nullable String key)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = request(method, path, body);
    if (key != null) {
      request.header("Idempotency-Key", key);
    }
    HttpResponse<String> answer = send(request.build());
    JsonNode json = json(answer.body());
    if (answer.statusCode() >= FIRST_ERROR) {
      throw new LaunchException(sentence(answer.statusCode(), json, method + " " + path));
    }
    return json;
  }

  private HttpRequest.Builder request(String method, String path, @Nullable Object body)
      throws JsonProcessingException {
    BodyPublisher content =
        body == null
            ? BodyPublishers.noBody()
            : BodyPublishers.ofString(JSON.writeValueAsString(body));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(service.resolve(path))
            .timeout(ANSWER_WITHIN)
            .header("Authorization", "Bearer " + token)
            .header("Accept", "application/json, application/problem+json")
            .method(method, content);
    return body == null ? request : request.header("Content-Type", "application/json");
  }

  private HttpResponse<String> send(HttpRequest request) throws InterruptedException {
    try {
      return http.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new LaunchException(
          "%s does not answer%s. Is it up, and is the address right?"
              .formatted(service, e.getMessage() == null ? "" : " (" + e.getMessage() + ")"));
    }
  }

  /** What the problem says, else what the status means. */
  private static String sentence(int status, JsonNode problem, String request) {
    String told = problem.path("detail").asText(problem.path("title").asText(""));
    String said = told.isBlank() ? "%s was answered with %s".formatted(request, status) : told;
    String advice =
        switch (status) {
          case UNAUTHORIZED ->
              ". The token was not accepted: it may have expired, or be another service's";
          case FORBIDDEN -> ". The token lacks the role for this";
          default -> told.isBlank() ? "" : violations(problem);
        };
    return Text.plain(said.replaceAll("[.\\s]+$", "") + advice + " (" + status + ").");
  }

  /** Which parameters a request got wrong. */
  private static String violations(JsonNode problem) {
    StringBuilder all = new StringBuilder();
    for (JsonNode violation : problem.path("violations")) {
      all.append(all.isEmpty() ? ": " : ", ")
          .append(violation.path("field").asText())
          .append(' ')
          .append(violation.path("message").asText());
    }
    return all.toString();
  }

  private static JsonNode json(String body) {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }
}
