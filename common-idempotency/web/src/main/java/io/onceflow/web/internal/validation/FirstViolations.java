package io.onceflow.web.internal.validation;

import io.onceflow.web.ValidElements;
import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemContext;
import io.quarkiverse.resteasy.problem.postprocessing.ProblemPostProcessor;
import io.quarkiverse.resteasy.problem.validation.Violation;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Comparator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Tells of the first {@value ValidElements#MOST_VIOLATIONS} violations only, by their fields: the
 * validator has them in no order, and the same request gets the same answer.
 */
@ApplicationScoped
class FirstViolations implements ProblemPostProcessor {

  private static final Pattern INDEX = Pattern.compile("\\[(\\d+)]");

  private static final Comparator<Violation> ORDER =
      Comparator.comparing(
              (Violation it) -> INDEX.matcher(it.field).replaceAll(FirstViolations::padded))
          .thenComparing(it -> it.message);

  @Override
  public HttpProblem apply(HttpProblem problem, ProblemContext context) {
    return problem.getParameters().get("violations") instanceof List<?> violations
            && violations.stream().allMatch(Violation.class::isInstance)
        ? HttpProblem.builder(problem).with("violations", first(violations)).build()
        : problem;
  }

  private static List<Violation> first(List<?> violations) {
    return violations.stream()
        .map(Violation.class::cast)
        .sorted(ORDER)
        .limit(ValidElements.MOST_VIOLATIONS)
        .toList();
  }

  /** The tenth element comes after the second. */
  private static String padded(MatchResult index) {
    return "[" + "0".repeat(Math.max(0, 9 - index.group(1).length())) + index.group(1) + "]";
  }

  @Override
  public int priority() {
    return Integer.MIN_VALUE + 1;
  }
}
