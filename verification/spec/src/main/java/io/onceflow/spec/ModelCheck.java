package io.onceflow.spec;

import io.onceflow.spec.Specification.Size;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What TLC is to check.
 *
 * @param removed the rule that is removed; null for none
 */
public record ModelCheck(Specification specification, Size size, @Nullable RemovedRule removed) {

  /** With all rules. */
  public static ModelCheck of(Specification specification, Size size) {
    return new ModelCheck(specification, size, null);
  }

  /** With all rules but one; TLC then shows which steps lead to the violation. */
  public static ModelCheck without(RemovedRule rule) {
    return new ModelCheck(rule.specification(), rule.size(), rule);
  }

  /**
   * TLC's configuration. In a traced run each state says what has just happened. That is no part of
   * the state where only invariants are checked. Replicas are shown by their names, so they are not
   * interchangeable.
   */
  String configuration() {
    String all = specification.configuration(size);
    if (removed == null) {
      return all;
    }
    String traced =
        all.replace("Without = {}", "Without = {\"" + removed.id() + "\"}")
            .replace("Traced = FALSE", "Traced = TRUE")
            .replaceAll("(?m)^SYMMETRY .*$", "");
    for (Map.Entry<String, Integer> constant : removed.constants().entrySet()) {
      traced =
          traced.replaceAll(
              "(?m)^  " + constant.getKey() + " = .*$",
              "  " + constant.getKey() + " = " + constant.getValue());
    }
    return size == Size.LIVENESS ? traced : traced + "\nVIEW View\n";
  }
}
