package io.onceflow.saga.internal.overview;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.onceflow.saga.internal.overview.DefinitionView.StepOfDefinition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * What differs between two versions of a definition.
 *
 * @param lines the steps of the second in their order, each removed one after the step that it
 *     followed
 */
record DefinitionDiff(int from, int to, List<Line> lines) {

  /**
   * A step.
   *
   * @param detail what changed, in words; null unless it did
   */
  @Schema(name = "DefinitionDiffLine")
  record Line(Change change, String step, @Nullable String detail) {}

  /** The outcome of a step. */
  @Schema(name = "StepChange")
  enum Change {
    @JsonProperty("same")
    SAME,
    @JsonProperty("added")
    ADDED,
    @JsonProperty("removed")
    REMOVED,
    @JsonProperty("changed")
    CHANGED
  }

  /** Compares them by the names of their steps. A step that is taken at another place changed. */
  static DefinitionDiff of(
      int from, List<StepOfDefinition> before, int to, List<StepOfDefinition> after) {
    Set<String> inOrder = inOrder(before, after);
    List<Line> lines =
        new ArrayList<>(after.stream().map(step -> line(before, inOrder, step)).toList());
    for (int i = before.size() - 1; i >= 0; i--) {
      String name = before.get(i).name();
      if (find(after, name).isEmpty()) {
        lines.add(placeAfter(lines, before, i), new Line(Change.REMOVED, name, null));
      }
    }
    return new DefinitionDiff(from, to, List.copyOf(lines));
  }

  private static int placeAfter(List<Line> lines, List<StepOfDefinition> before, int removed) {
    for (int i = removed - 1; i >= 0; i--) {
      String name = before.get(i).name();
      for (int place = 0; place < lines.size(); place++) {
        if (lines.get(place).step().equals(name)) {
          return place + 1;
        }
      }
    }
    return 0;
  }

  private static Line line(
      List<StepOfDefinition> before, Set<String> inOrder, StepOfDefinition step) {
    Optional<StepOfDefinition> was = find(before, step.name());
    if (was.isEmpty()) {
      return new Line(Change.ADDED, step.name(), null);
    }
    List<String> changes =
        Stream.concat(
                changes(was.get(), step),
                inOrder.contains(step.name()) ? Stream.of() : Stream.of("taken at another place"))
            .toList();
    return changes.isEmpty()
        ? new Line(Change.SAME, step.name(), null)
        : new Line(Change.CHANGED, step.name(), String.join("; ", changes));
  }

  private static Stream<String> changes(StepOfDefinition was, StepOfDefinition is) {
    return Stream.of(
            change("kind", was.kind(), is.kind()),
            change("command", was.command(), is.command()),
            change("participant", was.participant(), is.participant()),
            change("compensation", was.compensation(), is.compensation()),
            change("group", was.parallelGroup(), is.parallelGroup()),
            change("part of", place(was), place(is)),
            change("ways", all(was.ways()), all(is.ways())),
            change("terms", was.terms(), is.terms()))
        .flatMap(Optional::stream);
  }

  private static @Nullable String place(StepOfDefinition step) {
    return step.partOf() == null ? null : "%s (%s)".formatted(step.partOf(), step.way());
  }

  private static @Nullable String all(List<String> ways) {
    return ways.isEmpty() ? null : String.join(", ", ways);
  }

  private static Optional<String> change(String what, @Nullable Object was, @Nullable Object is) {
    return Objects.equals(was, is)
        ? Optional.empty()
        : Optional.of("%s: %s, was %s".formatted(what, orNone(is), orNone(was)));
  }

  private static Object orNone(@Nullable Object value) {
    return Objects.requireNonNullElse(value, "none");
  }

  /**
   * The most steps that both versions take in the same order: the others of both are those that
   * were moved.
   */
  private static Set<String> inOrder(List<StepOfDefinition> before, List<StepOfDefinition> after) {
    List<List<String>> longest = new ArrayList<>(); // that end with each step of the second
    for (StepOfDefinition step : after) {
      longest.add(
          find(before, step.name()).isEmpty()
              ? List.of()
              : upTo(step.name(), longest, places(before)));
    }
    return longest.stream()
        .max(Comparator.comparingInt(List::size))
        .map(Set::copyOf)
        .orElse(Set.of());
  }

  private static List<String> upTo(
      String name, List<List<String>> longest, Map<String, Integer> places) {
    List<String> ended =
        new ArrayList<>(
            longest.stream()
                .filter(it -> !it.isEmpty() && places.get(it.getLast()) < places.get(name))
                .max(Comparator.comparingInt(List::size))
                .orElse(List.of()));
    ended.add(name);
    return ended;
  }

  private static Map<String, Integer> places(List<StepOfDefinition> steps) {
    return IntStream.range(0, steps.size())
        .boxed()
        .collect(Collectors.toMap(i -> steps.get(i).name(), i -> i));
  }

  private static Optional<StepOfDefinition> find(List<StepOfDefinition> steps, String name) {
    return steps.stream().filter(step -> step.name().equals(name)).findFirst();
  }
}
