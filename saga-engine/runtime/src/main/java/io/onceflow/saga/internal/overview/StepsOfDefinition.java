package io.onceflow.saga.internal.overview;

import io.onceflow.saga.Choice;
import io.onceflow.saga.ItemSteps;
import io.onceflow.saga.Retry;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaDefinition.StepGroup;
import io.onceflow.saga.Step;
import io.onceflow.saga.Step.Compensation;
import io.onceflow.saga.Wait;
import io.onceflow.saga.internal.RecordCommand;
import io.onceflow.saga.internal.TimeInWords;
import io.onceflow.saga.internal.overview.DefinitionView.StepOfDefinition;
import io.onceflow.saga.internal.store.ReplyPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Lists the tree of a definition, each step before those that are part of it. */
final class StepsOfDefinition {

  private static final String OTHERWISE = "otherwise";
  private static final String FALLBACK = "fallback";

  private final ReplyPolicy policy;
  private final SagaDefinition<?> definition;
  private final List<StepOfDefinition> all = new ArrayList<>();
  private int groups;

  private StepsOfDefinition(SagaDefinition<?> definition, ReplyPolicy policy) {
    this.definition = definition;
    this.policy = policy;
  }

  /** Where a step is: a way of the step that it is part of. */
  private record Place(@Nullable String partOf, @Nullable String way) {}

  static List<StepOfDefinition> of(SagaDefinition<?> definition, ReplyPolicy policy) {
    StepsOfDefinition steps = new StepsOfDefinition(definition, policy);
    steps.add(definition.parts(), new Place(null, null));
    return List.copyOf(steps.all);
  }

  private void add(List<? extends StepGroup<?>> parts, Place place) {
    for (StepGroup<?> part : parts) {
      boolean isParallel = part.members().size() > 1;
      groups += isParallel ? 1 : 0;
      Integer group = isParallel ? groups : null;
      part.members().forEach(step -> add(step, group, place));
    }
  }

  private void add(Step<?> step, @Nullable Integer group, Place place) {
    Optional<RecordCommand<?, ?>> command = sent(step).flatMap(StepsOfDefinition::recorded);
    List<String> ways = ways(step);
    all.add(
        new StepOfDefinition(
            step.name(),
            kind(step, group, place),
            command.map(it -> it.type().getSimpleName()).orElse(null),
            command.map(it -> policy.participantOf(it.routingKey())).orElse(null),
            step.compensation().map(Compensation::name).orElse(null),
            group,
            place.partOf(),
            place.way(),
            ways,
            terms(step)));
    for (int i = 0; i < ways.size(); i++) {
      add(step.ways().get(i), new Place(step.name(), ways.get(i)));
    }
  }

  private static String kind(Step<?> step, @Nullable Integer group, Place place) {
    if (step.isPivot()) {
      return "pivot";
    }
    return switch (step) {
      case Step.Send<?> send when FALLBACK.equals(place.way()) -> FALLBACK;
      case Step.Send<?> send -> group == null ? "step" : "parallel";
      case Step.Run<?> run -> "local";
      case Choice<?> choice -> "choice";
      case ItemSteps<?, ?> items -> "items";
      case Wait<?> wait ->
          switch (wait.kind()) {
            case SLEEP -> "sleep";
            case EVENT -> "wait";
            case APPROVAL -> "approval";
            case CHILD -> "saga";
          };
    };
  }

  private static List<String> ways(Step<?> step) {
    return switch (step) {
      case Choice<?> choice -> choice.branches().stream().map(Choice.Branch::name).toList();
      case Wait<?> wait -> wait.ways().stream().map(way -> OTHERWISE).toList();
      case Step.Send<?> send -> send.ways().stream().map(way -> FALLBACK).toList();
      case Step.Run<?> run -> List.of();
      case ItemSteps<?, ?> items -> List.of();
    };
  }

  private static Optional<Step.Send<?>> sent(Step<?> step) {
    return switch (step) {
      case Step.Send<?> send -> Optional.of(send);
      case ItemSteps<?, ?> items -> items.template().<Step.Send<?>>map(send -> send);
      case Step.Run<?> run -> Optional.empty();
      case Choice<?> choice -> Optional.empty();
      case Wait<?> wait -> Optional.empty();
    };
  }

  private static Optional<RecordCommand<?, ?>> recorded(Step.Send<?> send) {
    return send.command() instanceof RecordCommand<?, ?> it ? Optional.of(it) : Optional.empty();
  }

  private @Nullable String terms(Step<?> step) {
    Stream<@Nullable String> own =
        switch (step) {
          case ItemSteps<?, ?> items ->
              Stream.of(itemTerms(items), items.child().map(this::waitTerms).orElse(null));
          case Wait<?> wait -> Stream.of(waitTerms(wait));
          case Step.Send<?> send -> Stream.of();
          case Step.Run<?> run -> Stream.of();
          case Choice<?> choice -> Stream.of();
        };
    List<String> terms =
        Stream.concat(own, sent(step).stream().flatMap(StepsOfDefinition::sendTerms))
            .filter(Objects::nonNull)
            .toList();
    return terms.isEmpty() ? null : String.join("; ", terms);
  }

  private static String itemTerms(ItemSteps<?, ?> items) {
    return items.atOnce() == 1
        ? "for each item"
        : "for each item, %s at once".formatted(items.atOnce());
  }

  private String waitTerms(Wait<?> wait) {
    String time = wait.atMost().map(TimeInWords::of).orElse(null);
    return switch (wait.kind()) {
      case SLEEP -> time == null ? "until its subject says" : time + " at most";
      case EVENT -> "within " + time;
      case CHILD ->
          "starts %s%s"
              .formatted(
                  wait.child().orElseThrow().saga().getSimpleName(),
                  definition.startsUndone(wait) ? ", undone with this one" : "");
      case APPROVAL -> wait.approval().map(by -> by(by) + ", within " + time).orElseThrow();
    };
  }

  private static String by(Wait.Approval approval) {
    return approval.approvers() == 1
        ? "by a " + approval.role()
        : "by two of the role " + approval.role();
  }

  private static Stream<@Nullable String> sendTerms(Step.Send<?> send) {
    Stream<@Nullable String> awaited =
        send.await().stream()
            .map(it -> "awaits %s within %s".formatted(it.event(), TimeInWords.of(it.within())));
    return Stream.concat(
        awaited, Stream.of(retryTerms(send.retry()), send.isBestEffort() ? "best effort" : null));
  }

  private static @Nullable String retryTerms(Retry retry) {
    String attempts =
        retry.attempts() == Step.Send.DEFAULT_ATTEMPTS ? null : retry.attempts() + " attempts";
    String apart =
        retry.firstWait() == null || retry.longestWait() == null
            ? null
            : "%s to %s apart"
                .formatted(TimeInWords.of(retry.firstWait()), TimeInWords.of(retry.longestWait()));
    return Stream.of(attempts, apart)
        .filter(Objects::nonNull)
        .reduce((one, other) -> one + ", " + other)
        .orElse(null);
  }
}
