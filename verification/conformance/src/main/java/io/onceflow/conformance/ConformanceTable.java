package io.onceflow.conformance;

import java.util.List;
import java.util.Map;

/** The results of products as Markdown. */
final class ConformanceTable {

  private ConformanceTable() {}

  /** A row for each scenario, then the evidence of each product, which have all been run. */
  static String of(Map<String, List<ScenarioResult>> products) {
    StringBuilder page = new StringBuilder("| scenario | claim | required evidence |");
    products.keySet().forEach(product -> page.append(" %s |".formatted(product)));
    page.append("\n|---|---|---|").append("---|".repeat(products.size())).append("\n");
    List<SagaScenario> scenarios = Scenarios.all();
    for (int i = 0; i < scenarios.size(); i++) {
      SagaScenario row = scenarios.get(i);
      page.append("| `%s` | %s | %s |".formatted(row.id(), row.claim(), row.evidence()));
      for (List<ScenarioResult> results : products.values()) {
        page.append(" %s |".formatted(results.get(i).verdict()));
      }
      page.append("\n");
    }
    products.forEach((product, results) -> page.append(evidence(product, results)));
    return page.toString();
  }

  private static String evidence(String product, List<ScenarioResult> results) {
    StringBuilder list = new StringBuilder("\n## Evidence of %s\n\n".formatted(product));
    results.forEach(it -> list.append("- `%s`: %s\n".formatted(it.scenario().id(), it.evidence())));
    return list.toString();
  }
}
