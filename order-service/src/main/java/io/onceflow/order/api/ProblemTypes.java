package io.onceflow.order.api;

import com.fasterxml.jackson.databind.JsonMappingException;
import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemContext;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemPostProcessor;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.util.List;
import java.util.Locale;

/**
 * Gives each problem the stable type of its status, such as {@code /problems/not-found}, and names
 * the field where the framework does not.
 */
@ApplicationScoped
class ProblemTypes implements ProblemPostProcessor {

  @Override
  public HttpProblem apply(HttpProblem problem, ProblemContext context) {
    if (problem.getType() != null) {
      return problem;
    }
    String reason = Response.Status.fromStatusCode(problem.getStatusCode()).getReasonPhrase();
    URI type = URI.create("/problems/" + reason.toLowerCase(Locale.ROOT).replace(' ', '-'));
    HttpProblem.Builder typed = HttpProblem.builder(problem).withType(type);
    // Quarkus wraps what Jackson could read but not hold, and loses which field it was.
    if (context.cause.getCause() instanceof JsonMappingException beyond) {
      typed.with("violations", List.of(UnreadableBody.violation(beyond, "is out of range")));
    }
    return typed.build();
  }
}
