package io.onceflow.saga.internal;

import io.onceflow.saga.Choice;
import io.onceflow.saga.ItemSteps;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaDefinition.StepGroup;
import io.onceflow.saga.Step;
import io.onceflow.saga.Step.Compensation;
import io.onceflow.saga.Wait;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Renders a definition as a Mermaid flowchart. The same definition always gives the same text, so
 * that a page of documentation can be held equal to it by a test.
 */
public final class SagaDiagram {

  private static final String COMPLETED = "completed";
  private static final String COMPENSATED = "compensated";

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
    lines.add("flowchart TD");
    line("start([\"%s\"]) --> %s", definition, first(definition.parts(), COMPLETED));
    lines.addAll(draw(definition.parts(), COMPLETED, Set.of(COMPENSATED)));
    line("completed([COMPLETED])");
    if (lines.stream().anyMatch(it -> it.contains(" " + COMPENSATED))) {
      line("compensated([COMPENSATED])");
    }
    return String.join("\n", lines) + "\n";
  }

  /**
   * Draws parts of which the last leads to what is next, and the first back to what was before.
   *
   * @return the lines of their compensations, which are drawn behind all steps, the last one first
   */
  private List<String> draw(List<? extends StepGroup<?>> parts, String next, Set<String> before) {
    List<String> undoing = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      String after = first(parts.subList(i + 1, parts.size()), next);
      undoing.addAll(0, draw(parts.get(i), after, behind(parts.subList(0, i), before)));
    }
    return undoing;
  }

  private List<String> draw(StepGroup<?> part, String next, Set<String> before) {
    List<String> undoing = new ArrayList<>();
    for (Step<?> step : part.members()) {
      List<? extends Step<?>> others =
          part.members().stream().filter(each -> !each.equals(step)).toList();
      undoing.addAll(draw(step, new Ways(next, behindAll(others, before), before)));
    }
    return undoing;
  }

  /**
   * Where a saga goes from a step.
   *
   * @param next when it was taken
   * @param failed when it was not: to the compensations of what is taken together with it, too
   * @param before when it has been undone
   */
  private record Ways(String next, Set<String> failed, Set<String> before) {

    String back() {
      return String.join(" & ", failed);
    }
  }

  private List<String> draw(Step<?> step, Ways ways) {
    List<String> undoing = new ArrayList<>();
    switch (step) {
      case Step.Run<?> run ->
          line(
              run.isPivot() ? "%s{{\"%s\"}} -->|only forward| %s" : "%s(\"%s\") --> %s",
              id(run),
              run.name(),
              ways.next());
      case Choice<?> choice -> undoing.addAll(drawChoice(choice, ways));
      case Wait<?> wait -> undoing.addAll(drawWait(wait, ways));
      case ItemSteps<?, ?> items -> drawItems(items, ways);
      case Step.Send<?> send -> undoing.addAll(drawSend(send, ways));
    }
    undoing.addAll(undoing(step, ways.before()));
    return undoing;
  }

  private List<String> drawChoice(Choice<?> choice, Ways ways) {
    List<String> undoing = new ArrayList<>();
    line("%s{\"%s\"}", id(choice), choice.name());
    for (Choice.Branch<?> branch : choice.branches()) {
      line("%s -->|%s| %s", id(choice), branch.name(), first(branch.parts(), ways.next()));
    }
    for (Choice.Branch<?> branch : choice.branches()) {
      undoing.addAll(0, draw(branch.parts(), ways.next(), ways.before()));
    }
    return undoing;
  }

  private List<String> drawWait(Wait<?> wait, Ways ways) {
    Optional<String> time = wait.atMost().map(TimeInWords::of);
    if (wait.kind() == Wait.Kind.SLEEP) {
      String over = time.map("after "::concat).orElse("at its time");
      line("%s([\"%s\"]) -->|%s| %s", id(wait), wait.name(), over, ways.next());
      return List.of();
    }
    if (wait.child().isPresent()) {
      return drawChild(wait, wait.child().get(), ways);
    }
    String by = wait.approval().map(SagaDiagram::text).orElse("");
    line("%s([\"%s%s\"])", id(wait), wait.name(), by);
    line("%s -->|%s| %s", id(wait), by.isEmpty() ? "in time" : "approved", ways.next());
    String failure = (by.isEmpty() ? "" : "refused, ") + "not within " + time.orElseThrow();
    if (wait.alternative().isPresent()) {
      List<? extends StepGroup<?>> parts = wait.alternative().get();
      line("%s -.->|%s| %s", id(wait), failure, first(parts, ways.next()));
      return draw(parts, ways.next(), ways.before());
    }
    boolean isWaitedForAgain = definition.isPastPivot(wait);
    line("%s -.->|%s| %s", id(wait), failure, isWaitedForAgain ? id(wait) : ways.back());
    return List.of();
  }

  private List<String> drawChild(Wait<?> wait, Wait.Child<?, ?> child, Ways ways) {
    String started = child.saga().getSimpleName();
    line("%s[[\"%s, saga %s\"]] -->|completed| %s", id(wait), wait.name(), started, ways.next());
    if (wait.alternative().isEmpty()) {
      line("%s -.->|compensated| %s", id(wait), ways.back());
      return List.of();
    }
    List<? extends StepGroup<?>> otherwise = wait.alternative().get();
    line("%s -.->|compensated| %s", id(wait), first(otherwise, ways.next()));
    return draw(otherwise, ways.next(), ways.before());
  }

  private void drawItems(ItemSteps<?, ?> items, Ways ways) {
    String each =
        items
            .child()
            .flatMap(Wait::child)
            .map(it -> ", saga " + it.saga().getSimpleName())
            .orElse("");
    String many = each + (items.atOnce() == 1 ? " for each item" : " for each item, %s at once");
    line("%s[[\"%s%s\"]]", id(items), items.name(), many.formatted(items.atOnce()));
    if (items.isBestEffort()) {
      line("%s -->|done or not| %s", id(items), ways.next());
      return;
    }
    line("%s -->|done| %s", id(items), ways.next());
    if (!definition.isPastPivot(items)) {
      // What was done for other items is undone.
      String back = undo(items).orElse(ways.back());
      String failure = items.child().isPresent() ? "compensated" : "refused, no answer";
      line("%s -->|%s| %s", id(items), failure, back);
    }
  }

  private List<String> drawSend(Step.Send<?> send, Ways ways) {
    line(send.isPivot() ? "%s{{\"%s\"}}" : "%s[\"%s\"]", id(send), send.name());
    send.await().ifPresent(it -> line("%s -.->|awaits %s| %s", id(send), it.event(), id(send)));
    if (send.fallback().isPresent()) {
      return drawWithFallback(send, send.fallback().get(), ways);
    }
    line("%s -->|%s| %s", id(send), send.isBestEffort() ? "done or not" : "done", ways.next());
    if (!send.isBestEffort() && !definition.isPastPivot(send)) {
      drawFailure(send, ways.back());
    }
    return List.of();
  }

  /** One that may have been done is undone before another is tried. */
  private List<String> drawWithFallback(Step.Send<?> send, Step.Send<?> fallback, Ways ways) {
    line("%s -->|done| %s", id(send), ways.next());
    if (definition.isPastPivot(send)) {
      line("%s -.->|refused| %s", id(send), id(fallback));
      return draw(fallback, ways);
    }
    Optional<String> undo = undo(send);
    line("%s -.->|%s| %s", id(send), failure(undo.isPresent()), id(fallback));
    List<String> undoing = new ArrayList<>(draw(fallback, ways));
    undo.ifPresent(
        it -> {
          line("%s -->|no answer| %s", id(send), it);
          undoing.add("    %s -.->|instead| %s".formatted(it, id(fallback)));
        });
    return undoing;
  }

  /**
   * A refused step has done nothing; one that is not answered may have been done, and is undone.
   */
  private void drawFailure(Step.Send<?> send, String back) {
    Optional<String> undo = undo(send);
    line("%s -->|%s| %s", id(send), failure(undo.isPresent() || send.isPivot()), back);
    undo.ifPresent(it -> line("%s -->|no answer| %s", id(send), it));
  }

  private static String failure(boolean isRefusalAlone) {
    return isRefusalAlone ? "refused" : "refused, no answer";
  }

  private List<String> undoing(Step<?> step, Set<String> before) {
    return undoName(step).stream()
        .flatMap(
            undo ->
                List.of(
                    "    %s[/\"%s\"/] -->|done| %s"
                        .formatted(id(undo), undo, String.join(" & ", before)),
                    "    %s -.-|undone by| %s".formatted(id(step), id(undo)))
                    .stream())
        .toList();
  }

  /** What comes first of these parts, or what is next where there are none. */
  private static String first(List<? extends StepGroup<?>> parts, String next) {
    return parts.isEmpty()
        ? next
        : parts.getFirst().members().stream()
            .map(SagaDiagram::id)
            .collect(Collectors.joining(" & "));
  }

  /** Where a saga goes back to from behind these parts: to the nearest compensations. */
  private Set<String> behind(List<? extends StepGroup<?>> parts, Set<String> before) {
    Set<String> back = before;
    for (StepGroup<?> part : parts) {
      back = behindAll(part.members(), back);
    }
    return back;
  }

  /** Of steps that are taken together those that have a compensation. */
  private Set<String> behindAll(List<? extends Step<?>> members, Set<String> before) {
    Set<String> back = new LinkedHashSet<>();
    members.forEach(step -> back.addAll(behind(step, before)));
    if (members.size() > 1 && !before.containsAll(back)) {
      back.removeAll(before);
    }
    return back.isEmpty() ? before : back;
  }

  private Set<String> behind(Step<?> step, Set<String> before) {
    Set<String> back = new LinkedHashSet<>();
    if (!(step instanceof Choice)) {
      back.addAll(undo(step).map(Set::of).orElse(before));
    }
    step.ways().forEach(way -> back.addAll(behind(way, before)));
    return back;
  }

  private Optional<String> undo(Step<?> step) {
    return undoName(step).map(SagaDiagram::id);
  }

  /** A saga that was started is undone by itself. */
  private Optional<String> undoName(Step<?> step) {
    return definition.startsUndone(step)
        ? Optional.of("compensation of " + step.name())
        : step.compensation().map(Compensation::name);
  }

  private static String id(Step<?> step) {
    return id(step.name());
  }

  /** Mermaid reads "end" and a leading "o" or "x" of an id as its own syntax; a prefix does not. */
  private static String id(String name) {
    return "s_" + name.replaceAll("[^A-Za-z0-9]", "_");
  }

  private static String text(Wait.Approval approval) {
    return ", by %s %s".formatted(approval.approvers() == 2 ? "two of" : "a", approval.role());
  }

  private void line(String format, Object... arguments) {
    lines.add("    " + format.formatted(arguments));
  }
}
