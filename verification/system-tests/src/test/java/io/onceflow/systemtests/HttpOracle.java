package io.onceflow.systemtests;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Optional;
import java.util.Set;

/** Says what is wrong with an answer to any request; empty if it is correct. */
final class HttpOracle {

  /** What tells of the inside. */
  private static final Set<String> INSIDE =
      Set.of("io.onceflow", "java.lang", "com.fasterxml", "Exception", "\tat ", "SQL state");

  private static final ObjectMapper JSON = new ObjectMapper();

  private HttpOracle() {}

  static Optional<String> complaint(Wire.Answer answer) {
    if (answer.status() >= 500 && answer.status() != 501 && !isShed(answer)) {
      return Optional.of("the service failed");
    }
    if (answer.headers().containsKey("x-injected")) {
      return Optional.of("a header was injected");
    }
    // What is asked for may hold anything: operators are shown parked messages as they came.
    if (answer.status() >= 400 && INSIDE.stream().anyMatch(answer.body()::contains)) {
      return Optional.of("the answer tells of the inside");
    }
    return answer.status() < 400 ? Optional.empty() : problem(answer);
  }

  /** Refused before anything was done for it, by a service that has too much to do. */
  private static boolean isShed(Wire.Answer answer) {
    return answer.status() == 503 && answer.headers().containsKey("retry-after");
  }

  private static Optional<String> problem(Wire.Answer answer) {
    if (!answer.contentType().startsWith("application/problem+json")) {
      return Optional.of("the refusal is no problem but " + answer.contentType());
    }
    try {
      JsonNode problem = JSON.readTree(answer.body());
      boolean isWhole =
          problem.path("status").asInt() == answer.status()
              && problem.path("type").asText().startsWith("/problems/")
              && !problem.path("title").asText().isBlank();
      return isWhole ? Optional.empty() : Optional.of("the problem is not whole");
    } catch (JsonProcessingException e) {
      return Optional.of("the problem is no JSON");
    }
  }
}
