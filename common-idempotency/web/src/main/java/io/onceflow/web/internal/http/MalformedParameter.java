package io.onceflow.web.internal.http;

import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemContext;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemPostProcessor;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.BadRequestException;
import java.util.List;
import java.util.Map;

/** A query parameter that cannot be converted to the type that the resource asks for. */
final class MalformedParameter extends BadRequestException {

  private static final long serialVersionUID = 1L;

  private final String name;
  private final String what;

  MalformedParameter(String name, String what, Throwable cause) {
    super("%s must be %s.".formatted(name, what), cause);
    this.name = name;
    this.what = what;
  }

  /** Names the parameter as a violation, in the form of those of Bean Validation. */
  @ApplicationScoped
  static class Violation implements ProblemPostProcessor {

    @Override
    public HttpProblem apply(HttpProblem problem, ProblemContext context) {
      return context.cause instanceof MalformedParameter malformed
          ? HttpProblem.builder(problem)
              .with(
                  "violations",
                  List.of(
                      Map.of(
                          "field",
                          malformed.name,
                          "in",
                          "query",
                          "message",
                          "must be " + malformed.what)))
              .build()
          : problem;
    }
  }
}
