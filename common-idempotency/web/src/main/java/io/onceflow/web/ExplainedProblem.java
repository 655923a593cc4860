package io.onceflow.web;

import io.onceflow.idempotency.internal.problem.ProblemAddress;
import io.quarkiverse.resteasy.problem.HttpProblem;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response.Status;

/**
 * A refusal with a type of its own, which is the address of a page that explains it.
 *
 * @param slug the last part of its type, such as {@code too-late}
 * @param status a 503 is answered with {@code Retry-After}
 * @param title a sentence
 * @param meaning when it is answered
 * @param effect what has happened, and what to do
 */
public record ExplainedProblem(
    String slug, Status status, String title, String meaning, String effect) {

  /** Where the pages of problem types are, below the path of the application. */
  public static final String PATH = "/problems/";

  private static final int RETRY_AFTER_SECONDS = 5;

  /** One that is answered 409. */
  public ExplainedProblem(String slug, String title, String meaning, String effect) {
    this(slug, Status.CONFLICT, title, meaning, effect);
  }

  /** The answer, to be thrown. */
  public HttpProblem because(String detail) {
    HttpProblem.Builder problem =
        HttpProblem.builder()
            .withType(ProblemAddress.of(slug))
            .withTitle(title)
            .withStatus(status)
            .withDetail(detail)
            .withHeader(HttpHeaders.LINK, ProblemAddress.link(slug));
    return status == Status.SERVICE_UNAVAILABLE
        ? problem.withHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS).build()
        : problem.build();
  }

  public String page() {
    return "%s (%s)%n%n%s%n%s%n".formatted(title, status.getStatusCode(), meaning, effect);
  }
}
