package io.onceflow.spec;

import io.onceflow.spec.TlcResult.Step;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Draws the steps of a counterexample as a Mermaid sequence diagram. */
final class CounterexampleDiagram {

  private CounterexampleDiagram() {}

  static String of(TlcResult result) {
    List<Step> steps = result.steps();
    StringBuilder diagram = new StringBuilder("```mermaid\nsequenceDiagram\n");
    ends(steps).forEach(end -> diagram.append("    participant ").append(end).append('\n'));
    boolean isLoop = result.loopsTo() > 0 && result.loopsTo() <= steps.size();
    for (int i = 0; i < steps.size(); i++) {
      if (isLoop && i == result.loopsTo() - 1) {
        diagram.append("    loop for ever\n");
      }
      diagram.append(isLoop && i >= result.loopsTo() - 1 ? "        " : "    ");
      diagram.append(line(steps.get(i))).append('\n');
    }
    return diagram.append(isLoop ? "    end\n```\n" : "```\n").toString();
  }

  private static Set<String> ends(List<Step> steps) {
    Set<String> ends = new LinkedHashSet<>();
    for (Step step : steps) {
      ends.add(step.from());
      ends.add(step.to());
    }
    return ends;
  }

  /** A semicolon would end the line. */
  private static String line(Step step) {
    String text = step.text().replace(';', ',');
    return step.from().equals(step.to())
        ? "Note over %s: %s".formatted(step.from(), text)
        : "%s->>%s: %s".formatted(step.from(), step.to(), text);
  }
}
