package io.onceflow.saga.internal;

import io.onceflow.saga.Choice;
import io.onceflow.saga.ItemSteps;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step;
import io.onceflow.saga.Wait;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

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
    int end = definition.parts().size();
    lines.add("flowchart TD");
    line("start([\"%s\"]) --> %s", definition, forwardTo(0));
    IntStream.range(0, end).forEach(this::renderSteps);
    IntStream.range(0, end).map(i -> end - 1 - i).forEach(this::renderCompensations);
    line("completed([COMPLETED])");
    if (definition.steps().stream().anyMatch(this::mayFail)) {
      line("compensated([COMPENSATED])");
    }
    return String.join("\n", lines) + "\n";
  }

  private void renderSteps(int position) {
    for (Step<?> step : definition.parts().get(position).members()) {
      String id = id(step.name());
      String next = forwardTo(position + 1);
      switch (step) {
        case Step.Send<?> send -> {
          line(send.isPivot() ? "%s{{\"%s\"}}" : "%s[\"%s\"]", id, send.name());
          send.await().ifPresent(it -> line("%s -.->|awaits %s| %s", id, it.event(), id));
          line("%s -->|done| %s", id, next);
        }
        case Step.Run<?> run ->
            line(
                run.isPivot() ? "%s{{\"%s\"}} -->|only forward| %s" : "%s(\"%s\") --> %s",
                id,
                run.name(),
                next);
        case ItemSteps<?, ?> items -> line("%s[[\"%s\"]] -->|done| %s", id, items.name(), next);
        case Wait<?> wait -> line("%s([\"%s\"]) --> %s", id, wait.name(), next);
        case Choice<?> choice -> line("%s{\"%s\"} --> %s", id, choice.name(), next);
      }
      if (mayFail(step)) {
        renderFailure(position, step);
      }
    }
  }

  /**
   * A refused step has done nothing; one that is not answered may have been done, and is undone.
   */
  private void renderFailure(int position, Step<?> step) {
    String back = undone(position, step);
    if (step.isPivot()) {
      line("%s -->|refused| %s", id(step.name()), back);
    } else if (step.compensation().isPresent()) {
      line("%s -->|refused| %s", id(step.name()), back);
      line("%s -->|no answer| %s", id(step.name()), id(step.compensation().get().name()));
    } else {
      line("%s -->|refused, no answer| %s", id(step.name()), back);
    }
  }

  private void renderCompensations(int position) {
    for (Step<?> step : definition.parts().get(position).members()) {
      step.compensation()
          .ifPresent(
              undo -> {
                line("%s[/\"%s\"/] -->|done| %s", id(undo.name()), undo.name(), backFrom(position));
                line("%s -.-|undone by| %s", id(step.name()), id(undo.name()));
              });
    }
  }

  private boolean mayFail(Step<?> step) {
    return step instanceof Step.Send && !definition.isPastPivot(step);
  }

  private String forwardTo(int position) {
    return position < definition.parts().size()
        ? definition.parts().get(position).members().stream()
            .map(step -> id(step.name()))
            .collect(Collectors.joining(" & "))
        : "completed";
  }

  /** Where a saga goes from a step that failed: to the undoing of its siblings, if it has any. */
  private String undone(int position, Step<?> failed) {
    String siblings = undosOf(position, failed);
    return siblings.isEmpty() ? backFrom(position) : siblings;
  }

  /** Where a saga goes when a part is undone: to the undoing of the nearest one before it. */
  private String backFrom(int position) {
    return IntStream.range(0, position)
        .map(i -> position - 1 - i)
        .mapToObj(i -> undosOf(i, null))
        .filter(undos -> !undos.isEmpty())
        .findFirst()
        .orElse("compensated");
  }

  private String undosOf(int position, @Nullable Step<?> but) {
    return definition.parts().get(position).members().stream()
        .filter(step -> !step.equals(but))
        .flatMap(step -> step.compensation().stream())
        .map(undo -> id(undo.name()))
        .collect(Collectors.joining(" & "));
  }

  /** Mermaid reads "end" and a leading "o" or "x" of an id as its own syntax; a prefix does not. */
  private static String id(String name) {
    return "s_" + name.replaceAll("[^A-Za-z0-9]", "_");
  }

  private void line(String format, Object... arguments) {
    lines.add("    " + format.formatted(arguments));
  }
}
