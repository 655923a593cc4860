package io.onceflow.web.internal.http;

import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemContext;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemPostProcessor;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.util.Locale;

/** Gives each problem the stable type of its status, such as {@code /problems/not-found}. */
@ApplicationScoped
class ProblemTypes implements ProblemPostProcessor {

  @Override
  public HttpProblem apply(HttpProblem problem, ProblemContext context) {
    if (problem.getType() != null) {
      return problem;
    }
    String reason = Response.Status.fromStatusCode(problem.getStatusCode()).getReasonPhrase();
    URI type = URI.create("/problems/" + reason.toLowerCase(Locale.ROOT).replace(' ', '-'));
    return HttpProblem.builder(problem).withType(type).build();
  }
}
