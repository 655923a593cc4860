package io.onceflow.web.internal.json;

import com.fasterxml.jackson.databind.JsonMappingException;
import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemContext;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemPostProcessor;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/**
 * Names the field where the framework does not: Quarkus wraps what Jackson could read but not hold,
 * and loses which field it was.
 */
@ApplicationScoped
class FieldOutOfRange implements ProblemPostProcessor {

  @Override
  public HttpProblem apply(HttpProblem problem, ProblemContext context) {
    if (problem.getType() == null
        && context.cause.getCause() instanceof JsonMappingException beyond) {
      return HttpProblem.builder(problem)
          .with("violations", List.of(UnreadableBodies.violation(beyond, "is out of range")))
          .build();
    }
    return problem;
  }

  /** Just before the types are given, which are last: what has a type already says enough. */
  @Override
  public int priority() {
    return Integer.MIN_VALUE + 1;
  }
}
