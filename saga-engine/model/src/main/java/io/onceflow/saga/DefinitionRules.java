package io.onceflow.saga;

import io.onceflow.saga.SagaDefinition.StepGroup;
import io.onceflow.saga.internal.SagaDefinitionInvalid;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The rules of a definition; checked when it is built, so that a mistake fails the start-up. */
final class DefinitionRules {

  /** What fits a header, a routing key, a label and a log line without being quoted. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

  /** Leaves 190 of the 255 characters that many headers and key columns hold to the root key. */
  private static final int LONGEST_NAME = 64;

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
    rules.checkWaits(definition.steps());
    rules.checkDeadline(definition.deadline());
    rules.checkPivot(definition.steps());
    definition.parts().forEach(rules::checkGroup);
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
      if (step instanceof Step.Send<D> send) {
        send.replies().records().forEach(reply -> checkReply(taken, reply));
      }
    }
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

  private <D> void checkWaits(List<Step<D>> steps) {
    for (Step<D> step : steps) {
      if (step instanceof Step.Send<D> send) {
        checkWaits(send);
      }
    }
  }

  private void checkWaits(Step.Send<?> step) {
    if (step.replyWithin().compareTo(Duration.ZERO) <= 0) {
      throw invalid(
          "step %s of saga %s expects its reply within %s; it would be resent without a"
              + " pause, so give it a positive time.",
          quoted(step.name()), quoted(saga), step.replyWithin());
    }
    if (step.attempts() < 1) {
      throw invalid(
          "step %s of saga %s has %s attempts; it would time out before it was sent, so"
              + " allow at least one.",
          quoted(step.name()), quoted(saga), step.attempts());
    }
    step.await().ifPresent(await -> checkAwait(step, await));
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

  private <D> void checkPivot(List<Step<D>> steps) {
    String pivot = null;
    for (Step<D> step : steps) {
      if (pivot != null && step.isPivot()) {
        throw invalid(
            "saga %s has two pivots, %s and %s; there is one point of no return, so make the"
                + " second a step.",
            quoted(saga), quoted(pivot), quoted(step.name()));
      }
      if (pivot != null && step.compensation().isPresent()) {
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
      pivot = step.isPivot() ? step.name() : pivot;
    }
  }

  private static String quoted(String name) {
    return '"' + name + '"';
  }

  private static SagaDefinitionInvalid invalid(String message, Object... arguments) {
    return new SagaDefinitionInvalid(message.formatted(arguments));
  }
}
