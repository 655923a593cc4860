package io.onceflow.saga;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Renders a definition as a Mermaid flowchart. The same definition always gives the same text, so
 * that a page of documentation can be held equal to it by a test.
 */
public final class SagaDiagram {

  private final SagaDefinition<?> definition;
  private final List<String> lines = new ArrayList<>();

  private SagaDiagram(SagaDefinition<?> definition) {
    this.definition = definition;
  }

  /** The flowchart, without the fence around it; ends with a line break. */
  public static String mermaid(SagaDefinition<?> definition) {
    return new SagaDiagram(definition).render();
  }

  private String render() {
    int end = definition.steps().size();
    lines.add("flowchart TD");
    line("start([\"%s\"]) --> %s", definition, forwardTo(0));
    IntStream.range(0, end).forEach(this::renderStep);
    IntStream.range(0, end).map(i -> end - 1 - i).forEach(this::renderCompensation);
    line("completed([COMPLETED])");
    if (IntStream.range(0, end).anyMatch(this::mayBeRefused)) {
      line("compensated([COMPENSATED])");
    }
    return String.join("\n", lines) + "\n";
  }

  private void renderStep(int position) {
    Step<?> step = definition.steps().get(position);
    String id = id(step.name());
    switch (step) {
      case Step.Send<?> send -> {
        line("%s[\"%s\"]", id, send.name());
        line("%s -->|done| %s", id, forwardTo(position + 1));
      }
      case Step.Run<?> run -> line("%s(\"%s\") --> %s", id, run.name(), forwardTo(position + 1));
      case Step.Pivot<?> pivot ->
          line("%s{{\"%s\"}} -->|only forward| %s", id, pivot.name(), forwardTo(position + 1));
    }
    if (mayBeRefused(position)) {
      line("%s -->|refused| %s", id, backFrom(position));
    }
  }

  private void renderCompensation(int position) {
    Step<?> step = definition.steps().get(position);
    step.compensation()
        .ifPresent(
            undo -> {
              line("%s[/\"%s\"/] -->|done| %s", id(undo.name()), undo.name(), backFrom(position));
              line("%s -.-|undone by| %s", id(step.name()), id(undo.name()));
            });
  }

  private boolean mayBeRefused(int position) {
    return definition.steps().get(position) instanceof Step.Send
        && definition.steps().stream().limit(position).noneMatch(Step.Pivot.class::isInstance);
  }

  private String forwardTo(int position) {
    return position < definition.steps().size()
        ? id(definition.steps().get(position).name())
        : "completed";
  }

  /** Where a saga goes from a step that was refused or undone: to the undoing before it. */
  private String backFrom(int position) {
    return IntStream.range(0, position)
        .map(i -> position - 1 - i)
        .mapToObj(i -> definition.steps().get(i).compensation())
        .flatMap(compensation -> compensation.stream())
        .findFirst()
        .map(compensation -> id(compensation.name()))
        .orElse("compensated");
  }

  /** Mermaid reads "end" and a leading "o" or "x" of an id as its own syntax; a prefix does not. */
  private static String id(String name) {
    return "s_" + name.replaceAll("[^A-Za-z0-9]", "_");
  }

  private void line(String format, Object... arguments) {
    lines.add("    " + format.formatted(arguments));
  }
}
