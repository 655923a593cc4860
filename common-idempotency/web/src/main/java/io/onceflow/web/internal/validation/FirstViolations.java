package io.onceflow.web.internal.validation;

import io.onceflow.web.ValidElements;
import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemContext;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemPostProcessor;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** Tells of the first {@value ValidElements#MOST_VIOLATIONS} violations only. */
@ApplicationScoped
class FirstViolations implements ProblemPostProcessor {

  @Override
  public HttpProblem apply(HttpProblem problem, ProblemContext context) {
    return problem.getParameters().get("violations") instanceof List<?> violations
            && violations.size() > ValidElements.MOST_VIOLATIONS
        ? HttpProblem.builder(problem)
            .with("violations", violations.subList(0, ValidElements.MOST_VIOLATIONS))
            .build()
        : problem;
  }

  @Override
  public int priority() {
    return Integer.MIN_VALUE + 1;
  }
}
