package io.onceflow.saga.internal.engine;

import io.onceflow.saga.Choice;
import io.onceflow.saga.ItemSteps;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaDefinition.StepGroup;
import io.onceflow.saga.Step;
import io.onceflow.saga.Wait;
import io.onceflow.saga.internal.RecordCommand;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a definition has a step, and what it is.
 *
 * @param number in the order in which steps are taken; the same for those that are taken together
 * @param owner the step that it is part of; null where it is part of none
 * @param way the way of the owner on which it is; empty where it has no owner
 */
record StepPlace(
    SagaDefinition<?> definition, Step<?> step, int number, @Nullable String owner, String way) {

  /** Those of all steps of a definition, by their names. */
  static Map<String, StepPlace> of(SagaDefinition<?> definition) {
    Map<String, StepPlace> all = new LinkedHashMap<>();
    put(all, definition, definition.parts(), null, "");
    return all;
  }

  private static void put(
      Map<String, StepPlace> all,
      SagaDefinition<?> definition,
      List<? extends StepGroup<?>> parts,
      @Nullable String owner,
      String way) {
    for (StepGroup<?> part : parts) {
      int number = all.size();
      for (Step<?> step : part.members()) {
        all.put(step.name(), new StepPlace(definition, step, number, owner, way));
      }
      for (Step<?> step : part.members()) {
        for (int i = 0; i < step.ways().size(); i++) {
          put(all, definition, step.ways().get(i), step.name(), wayOf(step, i));
        }
      }
    }
  }

  private static String wayOf(Step<?> step, int number) {
    return step instanceof Choice<?> choice
        ? choice.branches().get(number).name()
        : Choice.OTHERWISE;
  }

  String name() {
    return step.name();
  }

  /** Its kind, with the command that it sends or the saga that it starts. */
  String kind() {
    return switch (step) {
      case Step.Send<?> send -> "a command" + record(name());
      case Step.Run<?> run -> "a local step";
      case ItemSteps<?, ?> items ->
          items.child().map(StepPlace::childOf).orElse("a command" + record(name()))
              + " for each item";
      case Wait<?> wait ->
          wait.child().isPresent() ? childOf(wait) : "a wait: " + lower(wait.kind().name());
      case Choice<?> choice -> "a choice";
    };
  }

  private static String childOf(Wait<?> wait) {
    return "a saga " + wait.child().orElseThrow().saga().getSimpleName();
  }

  private static String lower(String word) {
    return word.toLowerCase(Locale.ROOT);
  }

  /** The compensation, with the command that it sends; empty where nothing undoes the step. */
  Optional<String> undoneBy() {
    return step.compensation().map(undo -> undo.name() + record(undo.name()));
  }

  /** The command's record, where the definition names it. */
  private String record(String sent) {
    return definition
        .commandOf(sent)
        .map(command -> command instanceof RecordCommand<?, ?> it ? it.type().getSimpleName() : "")
        .filter(type -> !type.isEmpty())
        .map(" (%s)"::formatted)
        .orElse("");
  }

  /** Whether a saga continues when the step fails. */
  boolean isSpared() {
    return switch (step) {
      case Step.Send<?> send -> send.isBestEffort() || send.fallback().isPresent();
      case ItemSteps<?, ?> items -> items.isBestEffort();
      case Wait<?> wait -> wait.alternative().isPresent();
      case Step.Run<?> run -> true;
      case Choice<?> choice -> true;
    };
  }

  boolean hasBranch(String branch) {
    return step instanceof Choice<?> choice
        && choice.branches().stream().anyMatch(it -> it.name().equals(branch));
  }

  /** Whether the name of the step is part of what others know: of its key, or of an event. */
  boolean isNameKnown(StepState state) {
    return switch (step) {
      case Step.Send<?> send -> true;
      case ItemSteps<?, ?> items -> true;
      case Wait<?> wait -> wait.child().isPresent() || state.repliedAt() == null;
      case Step.Run<?> run -> false;
      case Choice<?> choice -> false;
    };
  }
}
