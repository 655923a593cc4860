package io.onceflow.saga;

import io.onceflow.saga.SagaDefinition.StepGroup;
import io.onceflow.saga.internal.SagaDefinitionInvalid;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The rules of a definition; checked when it is built, so that a mistake fails the start-up. */
final class DefinitionRules {

  /** What fits a header, a routing key, a label and a log line without being quoted. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

  /** Leaves 190 of the 255 characters that many headers and key columns hold to the root key. */
  private static final int LONGEST_NAME = 64;

  /** Of a step's name and an item's key, which are one name in step keys. */
  private static final int LONGEST_ITEM_NAME = 100;

  /** Each is a row and two index entries of every saga's start. */
  private static final int MOST_ATTRIBUTES = 8;

  private final String saga;

  private DefinitionRules(String saga) {
    this.saga = saga;
  }

  static <D> void check(SagaDefinition<D> definition) {
    DefinitionRules rules = new DefinitionRules(definition.name());
    rules.checkSaga(definition.version(), definition.steps().isEmpty());
    rules.checkNames(definition.steps());
    rules.checkReplies(definition.steps());
    definition.steps().forEach(step -> rules.checkTerms(definition, step));
    rules.checkDeadline(definition.deadline());
    definition.limits().check(definition.name());
    rules.checkPivots(definition);
    rules.checkGroups(definition.parts());
    ChildRules.check(definition);
  }

  /**
   * The keys of a step's items.
   *
   * @throws IllegalStateException if they cannot be part of step keys
   */
  static <I> List<String> itemKeys(
      ItemSteps<?, ?> each, Iterable<? extends I> items, Function<? super I, String> key) {
    String step = each.name();
    List<String> keys = new ArrayList<>();
    for (I item : items) {
      String its = key.apply(item);
      if (its == null || !NAME.matcher(its).matches() || its.length() > LONGEST_NAME) {
        throw new IllegalStateException(
            "step %s has an item with the key %s, which cannot travel in a message's headers; use at most %s letters, digits, '-', '_' and '.'."
                .formatted(quoted(step), quoted(String.valueOf(its)), LONGEST_NAME));
      }
      if (step.length() + 1 + its.length() > LONGEST_ITEM_NAME) {
        throw new IllegalStateException(
            "step %s has an item with the key %s; both are part of its step key and may have %s characters together, so shorten one."
                .formatted(quoted(step), quoted(its), LONGEST_ITEM_NAME - 1));
      }
      keys.add(its);
    }
    if (new HashSet<>(keys).size() < keys.size()) {
      throw new IllegalStateException(
          "step %s has two items of one key among %s; each needs a key of its own."
              .formatted(quoted(step), keys));
    }
    checkNumber(each, keys.size());
    return keys;
  }

  private static void checkNumber(ItemSteps<?, ?> each, int items) {
    String step = quoted(each.name());
    if (each.child().isPresent() && items > ItemSteps.MOST_SAGAS) {
      throw new IllegalStateException(
          "step %s has %s items; it starts at most %s sagas, so let an item stand for several, such as a box of them."
              .formatted(step, items, ItemSteps.MOST_SAGAS));
    }
    if (each.child().isEmpty() && items > ItemSteps.MOST_ITEMS) {
      throw new IllegalStateException(
          "step %s has %s items; a saga's row holds at most %s, so start a saga of its own for each: forEach(...).start(...), up to %s."
              .formatted(step, items, ItemSteps.MOST_ITEMS, ItemSteps.MOST_SAGAS));
    }
  }

  /** Checks an attribute that is to be added to those declared already. */
  static void checkSearchable(String saga, Set<String> declared, String attribute) {
    if (!NAME.matcher(attribute).matches() || attribute.length() > LONGEST_NAME) {
      throw invalid(
          "saga %s is searchable by %s, which cannot be asked for as name:value; use at most %s"
              + " letters, digits, '-', '_' and '.'.",
          quoted(saga), quoted(attribute), LONGEST_NAME);
    }
    if (declared.contains(attribute)) {
      throw invalid(
          "saga %s is searchable by %s twice; drop one.", quoted(saga), quoted(attribute));
    }
    if (declared.size() == MOST_ATTRIBUTES) {
      throw invalid(
          "saga %s is searchable by more than %s attributes; each is a row of every saga, so keep"
              + " those that people ask for.",
          quoted(saga), MOST_ATTRIBUTES);
    }
  }

  private void checkSaga(int version, boolean noSteps) {
    checkName("saga " + quoted(saga), saga);
    if (version < 1) {
      throw invalid("saga %s has version %s; versions count from 1.", quoted(saga), version);
    }
    if (noSteps) {
      throw invalid("saga %s has no steps; give it at least one.", quoted(saga));
    }
  }

  private <D> void checkNames(List<Step<D>> steps) {
    Map<String, String> taken = new HashMap<>();
    for (Step<D> step : steps) {
      checkUnique(taken, "step", step.name());
      step.compensation().ifPresent(c -> checkUnique(taken, "compensation", c.name()));
    }
  }

  private void checkUnique(Map<String, String> taken, String kind, String name) {
    checkName("%s %s of saga %s".formatted(kind, quoted(name), quoted(saga)), name);
    String before = taken.putIfAbsent(name, kind);
    if (before != null) {
      throw invalid(
          "saga %s has a %s and a %s named %s; step keys are made of the names, so rename one.",
          quoted(saga), before, kind, quoted(name));
    }
  }

  private void checkName(String whose, String name) {
    if (name.isBlank()) {
      throw invalid("%s has a blank name; its keys and its history need one, so name it.", whose);
    }
    if (name.contains(":")) {
      throw invalid(
          "%s holds a colon; step keys are parsed from their last colon, so rename it.", whose);
    }
    if (!NAME.matcher(name).matches() || name.length() > LONGEST_NAME) {
      throw invalid(
          "%s has a name that cannot travel in a message's headers; use at most %s letters,"
              + " digits, '-', '_' and '.'.",
          whose, LONGEST_NAME);
    }
  }

  /** A message says its type alone, so that one of two records would be read as the other. */
  private <D> void checkReplies(List<Step<D>> steps) {
    Map<String, Class<?>> taken = new HashMap<>();
    for (Step<D> step : steps) {
      sent(step)
          .ifPresent(send -> send.replies().records().forEach(reply -> checkReply(taken, reply)));
    }
  }

  /** What a step sends, be it once or for each item; empty where it sends nothing. */
  private static <D> Optional<Step.Send<D>> sent(Step<D> step) {
    return switch (step) {
      case Step.Send<D> send -> Optional.of(send);
      case ItemSteps<D, ?> items -> items.template();
      case Step.Run<D> run -> Optional.empty();
      case Choice<D> choice -> Optional.empty();
      case Wait<D> wait -> Optional.empty();
    };
  }

  private void checkReply(Map<String, Class<?>> taken, Class<?> reply) {
    Class<?> before = taken.putIfAbsent(reply.getSimpleName(), reply);
    if (before != null && before != reply) {
      List<String> both = Stream.of(before, reply).map(Class::getName).sorted().toList();
      throw invalid(
          "saga %s takes %s and %s; a reply's type is the record's name without its package, so"
              + " rename one.",
          quoted(saga), both.getFirst(), both.getLast());
    }
  }

  private <D> void checkTerms(SagaDefinition<D> definition, Step<D> step) {
    sent(step).ifPresent(this::checkWaits);
    switch (step) {
      case Choice<D> choice -> checkBranches(choice);
      case ItemSteps<D, ?> items -> checkAtOnce(items);
      case Wait<D> wait when wait.child().isPresent() -> {}
      case Wait<D> wait -> checkWait(wait, definition.isPastPivot(wait));
      case Step.Send<D> send -> checkPivotTerms(send);
      case Step.Run<D> run -> {}
    }
  }

  private void checkBranches(Choice<?> choice) {
    Map<String, String> taken = new HashMap<>();
    Map<Predicate<?>, String> asked = new IdentityHashMap<>();
    for (Choice.Branch<?> branch : choice.branches()) {
      String before = asked.putIfAbsent(branch.condition(), branch.name());
      checkName(
          "branch %s of choice %s of saga %s"
              .formatted(quoted(branch.name()), quoted(choice.name()), quoted(saga)),
          branch.name());
      if (taken.put(branch.name(), branch.name()) != null) {
        throw invalid(
            "choice %s of saga %s has two branches %s; the second would never be told from the"
                + " first, so rename one.",
            quoted(choice.name()), quoted(saga), quoted(branch.name()));
      }
      if (before != null) {
        throw invalid(
            "branch %s of choice %s of saga %s has the condition of branch %s, which is asked before"
                + " it; it would never be taken, so give it another one or remove it.",
            quoted(branch.name()), quoted(choice.name()), quoted(saga), quoted(before));
      }
    }
  }

  private void checkAtOnce(ItemSteps<?, ?> items) {
    if (items.atOnce() < 1) {
      throw invalid(
          "step %s of saga %s takes %s items at once; it would never begin, so allow at least one.",
          quoted(items.name()), quoted(saga), items.atOnce());
    }
  }

  private void checkWait(Wait<?> wait, boolean isPastPivot) {
    if (wait.atMost().filter(time -> time.toSeconds() < 1).isPresent()) {
      throw invalid(
          "%s of saga %s waits %s; it would end before it started, so give it at least a second.",
          quoted(wait.name()), quoted(saga), wait.atMost().orElseThrow());
    }
    if (wait.atMost().isEmpty() && !isPastPivot) {
      throw invalid(
          "%s of saga %s waits for as long as its subject says, and is compensated after that;"
              + " participants know what to undo for a limited time only, so say atMost(...).",
          quoted(wait.name()), quoted(saga));
    }
    if (wait.kind() == Wait.Kind.APPROVAL && isPastPivot && wait.alternative().isEmpty()) {
      throw invalid(
          "approval %s of saga %s comes after the pivot, where nothing is compensated when it is"
              + " refused; say with otherwise(...) what is done then, or move it.",
          quoted(wait.name()), quoted(saga));
    }
  }

  private void checkPivotTerms(Step.Send<?> send) {
    if (send.isPivot() && (send.isBestEffort() || send.fallback().isPresent())) {
      throw invalid(
          "pivot %s of saga %s is best effort or has a fallback; it decides whether the saga is"
              + " done or undone, so make it a step.",
          quoted(send.name()), quoted(saga));
    }
    send.fallback()
        .filter(Step::isPivot)
        .ifPresent(
            pivot -> {
              throw invalid(
                  "step %s of saga %s has the pivot %s as its fallback; a fallback is taken only"
                      + " where the step fails, so put the pivot behind it.",
                  quoted(send.name()), quoted(saga), quoted(pivot.name()));
            });
  }

  private void checkWaits(Step.Send<?> step) {
    if (step.replyWithin().compareTo(Duration.ZERO) <= 0) {
      throw invalid(
          "step %s of saga %s expects its reply within %s; it would be resent without a"
              + " pause, so give it a positive time.",
          quoted(step.name()), quoted(saga), step.replyWithin());
    }
    checkBackoff(step);
    if (step.attempts() < 1) {
      throw invalid(
          "step %s of saga %s has %s attempts; it would time out before it was sent, so"
              + " allow at least one.",
          quoted(step.name()), quoted(saga), step.attempts());
    }
    step.await().ifPresent(await -> checkAwait(step, await));
  }

  private void checkBackoff(Step.Send<?> step) {
    Duration first = step.retry().firstWait();
    Duration longest = step.retry().longestWait();
    if (first != null
        && longest != null
        && (first.compareTo(Duration.ZERO) <= 0 || longest.compareTo(first) < 0)) {
      throw invalid(
          "step %s of saga %s backs off from %s to %s; give a positive time, and one that is at"
              + " least as long.",
          quoted(step.name()), quoted(saga), first, longest);
    }
  }

  private void checkAwait(Step.Send<?> step, Step.Await await) {
    checkName(
        "the event %s that step %s of saga %s awaits"
            .formatted(quoted(await.event()), quoted(step.name()), quoted(saga)),
        await.event());
    if (await.within().toSeconds() < 1) {
      throw invalid(
          "step %s of saga %s awaits %s within %s; it would end before it started, so give it at"
              + " least a second.",
          quoted(step.name()), quoted(saga), quoted(await.event()), await.within());
    }
  }

  private void checkDeadline(Duration deadline) {
    if (deadline.compareTo(Duration.ZERO) <= 0) {
      throw invalid(
          "saga %s has a deadline of %s; it would be compensated before it started, so give it a"
              + " positive time.",
          quoted(saga), deadline);
    }
  }

  private void checkGroups(List<? extends StepGroup<?>> parts) {
    for (StepGroup<?> part : parts) {
      checkGroup(part);
      for (Step<?> step : part.members()) {
        step.ways().forEach(this::checkGroups);
      }
    }
  }

  private void checkGroup(StepGroup<?> part) {
    if (part instanceof ParallelSteps<?> parallel
        && parallel.steps().stream().anyMatch(Step::isPivot)) {
      throw invalid(
          "saga %s takes its pivot together with other steps; those could not be undone once it is"
              + " sent, so take it by itself.",
          quoted(saga));
    }
    if (part instanceof ParallelSteps<?> group && group.steps().size() < 2) {
      throw invalid(
          "saga %s takes %s together; that needs at least two steps, so list a single one as it"
              + " is.",
          quoted(saga), group.steps().stream().map(step -> quoted(step.name())).toList());
    }
  }

  private void checkPivots(SagaDefinition<?> definition) {
    for (Step<?> step : definition.steps()) {
      boolean isPast = definition.isPastPivot(step);
      String pivot = definition.pivots().stream().findFirst().map(Step::name).orElse("");
      if (isPast && step.isPivot()) {
        throw invalid(
            "saga %s has two pivots, %s and %s; there is one point of no return, so make the"
                + " second a step.",
            quoted(saga), quoted(pivot), quoted(step.name()));
      }
      if (isPast && step.compensation().isPresent()) {
        throw invalid(
            "step %s of saga %s comes after the pivot %s and has a compensation; past the pivot a"
                + " saga only goes forward, so drop the compensation or move the step.",
            quoted(step.name()), quoted(saga), quoted(pivot));
      }
      if (step.isPivot() && step.compensation().isPresent()) {
        throw invalid(
            "pivot %s of saga %s has a compensation; a saga does not compensate past its pivot,"
                + " so drop the compensation or make it a step.",
            quoted(step.name()), quoted(saga));
      }
    }
  }

  private static String quoted(String name) {
    return '"' + name + '"';
  }

  private static SagaDefinitionInvalid invalid(String message, Object... arguments) {
    return new SagaDefinitionInvalid(message.formatted(arguments));
  }
}
