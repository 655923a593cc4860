package io.onceflow.spec;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes the page of a specification: a diagram for each rule that is removed. */
public final class ProofPage {

  private ProofPage() {}

  /**
   * The page.
   *
   * @param results of the checks without each of the rules
   */
  public static String of(Specification specification, Map<RemovedRule, TlcResult> results) {
    StringBuilder page =
        new StringBuilder(
            """
            # %s

            Generated from
            [%2$s.tla](../../verification/spec/src/main/resources/io/onceflow/spec/%2$s.tla). With all rules, TLC finds
            no violation ([what it checks](README.md)). Each section removes one rule and shows a counterexample that
            TLC finds: of an invariant, none is shorter.
            """
                .formatted(specification.title(), specification.module()));
    for (RemovedRule rule : rulesOf(specification)) {
      page.append(section(rule, results.get(rule)));
    }
    return page.toString();
  }

  /** The rules that a specification can do without. */
  public static List<RemovedRule> rulesOf(Specification specification) {
    return List.of(RemovedRule.values()).stream()
        .filter(rule -> rule.specification() == specification)
        .toList();
  }

  /** The first two cells of a row of the table of states. */
  public static String rowHead(ModelCheck check) {
    return "| [%1$s](%1$s.md) | %2$s |"
        .formatted(check.specification().page(), check.size().name().toLowerCase(Locale.ROOT));
  }

  /** A row of the table of states. */
  public static String row(ModelCheck check, TlcResult result) {
    return "%s %s |".formatted(rowHead(check), result.distinctStates());
  }

  private static String section(RemovedRule rule, TlcResult result) {
    return "\n## Without rule %s: %s\n\nIt breaks `%s`.\n\n%s"
        .formatted(rule.number(), rule.loss(), result.violated(), CounterexampleDiagram.of(result));
  }
}
