package io.onceflow.web.internal.http;

import io.quarkiverse.resteasy.problem.HttpProblem;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.net.URI;

/**
 * A refusal of a business's own, answered 409. Its type is the address of a page that explains it.
 *
 * @param slug the last part of its type, such as {@code too-late}
 * @param title a sentence
 * @param meaning when it is answered
 * @param effect what has happened, and what to do
 */
public record ExplainedProblem(String slug, String title, String meaning, String effect) {

  /** Where the pages of problem types are. */
  public static final String PATH = "/problems/";

  /** The answer, to be thrown. */
  public HttpProblem because(String detail) {
    return HttpProblem.builder()
        .withType(URI.create(PATH + slug))
        .withTitle(title)
        .withStatus(Response.Status.CONFLICT)
        .withDetail(detail)
        .withHeader(HttpHeaders.LINK, "<" + PATH + slug + ">; rel=\"describedby\"")
        .build();
  }

  public String page() {
    return "%s (409)%n%n%s%n%s%n".formatted(title, meaning, effect);
  }
}
