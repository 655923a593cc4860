package io.onceflow.web.internal.http;

import io.onceflow.idempotency.internal.problem.ProblemAddress;
import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemContext;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemPostProcessor;
import jakarta.enterprise.context.ApplicationScoped;

/** Gives each problem the stable type of its status, such as {@code /problems/not-found}. */
@ApplicationScoped
class ProblemTypes implements ProblemPostProcessor {

  @Override
  public HttpProblem apply(HttpProblem problem, ProblemContext context) {
    if (problem.getType() != null) {
      return problem;
    }
    return HttpProblem.builder(problem)
        .withType(ProblemAddress.of(problem.getStatusCode()))
        .build();
  }
}
