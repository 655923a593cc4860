package io.onceflow.conformance;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The results of several products as Markdown. */
public final class ConformanceTable {

  private final Map<String, List<ScenarioResult>> products = new LinkedHashMap<>();

  /** Adds a product's column. */
  public ConformanceTable with(String product, List<ScenarioResult> results) {
    products.put(product, results);
    return this;
  }

  /** A row for each scenario, then the evidence of each product. */
  public String markdown() {
    StringBuilder page = new StringBuilder("| scenario | claim |");
    products.keySet().forEach(it -> page.append(" ").append(it).append(" |"));
    page.append("\n|---|---|").append("---|".repeat(products.size())).append("\n");
    for (SagaScenario scenario : Scenarios.all()) {
      page.append(
          "| [%s](#%s) | %s |".formatted(scenario.id(), scenario.id(), scenario.sentence()));
      products.values().forEach(it -> page.append(" ").append(verdict(it, scenario)).append(" |"));
      page.append("\n");
    }
    Scenarios.all().forEach(it -> page.append(evidence(it)));
    return page.toString();
  }

  private static String verdict(List<ScenarioResult> results, SagaScenario scenario) {
    return results.stream()
        .filter(it -> it.scenario().id().equals(scenario.id()))
        .map(it -> it.verdict().word())
        .findFirst()
        .orElse("not run");
  }

  private String evidence(SagaScenario scenario) {
    String found =
        products.entrySet().stream()
            .flatMap(
                product ->
                    product.getValue().stream()
                        .filter(it -> it.scenario().id().equals(scenario.id()))
                        .map(
                            it ->
                                "- %s: **%s**, %s\n"
                                    .formatted(
                                        product.getKey(), it.verdict().word(), it.evidence())))
            .collect(Collectors.joining());
    return "\n### %s\n\n%s Required: %s.\n\n%s"
        .formatted(scenario.id(), scenario.sentence(), scenario.evidence(), found);
  }
}
