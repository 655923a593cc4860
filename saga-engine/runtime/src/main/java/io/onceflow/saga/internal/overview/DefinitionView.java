package io.onceflow.saga.internal.overview;

import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaDefinition.StepGroup;
import io.onceflow.saga.Step;
import io.onceflow.saga.Step.Compensation;
import io.onceflow.saga.Step.OutgoingCommand;
import io.onceflow.saga.api.SagaView.Hold;
import io.onceflow.saga.internal.RecordCommand;
import io.onceflow.saga.internal.store.ReplyPolicy;
import io.onceflow.saga.internal.store.control.DefinitionControl.StartShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A saga's definition in all versions that sagas follow or may follow.
 *
 * @param replicas that live, of all versions of the application
 * @param hold who holds all its sagas, and why; null while it is not on hold
 * @param start which version a share of its new sagas follows, as operators have set it; null where
 *     all follow the configured one
 * @param versions the lowest first
 */
@Schema(name = "SagaDefinition")
record DefinitionView(
    String name,
    int replicas,
    @Nullable Hold hold,
    @Nullable StartShare start,
    List<Version> versions) {

  /** For readers who may not see an operator's words. */
  DefinitionView withoutPersonalData() {
    return new DefinitionView(
        name,
        replicas,
        hold == null ? null : hold.withoutReason(),
        start == null ? null : start.withoutReason(),
        versions);
  }

  /**
   * A version.
   *
   * @param startVersion whether new sagas follow it
   * @param share of a hundred new sagas, so many follow it
   * @param knownBy how many of the living replicas know it
   * @param drained whether no saga follows it, and no new one will
   * @param open how many sagas of it have not ended
   * @param ended how many have; null, since that is not counted
   * @param searchable the attributes that its sagas are found by; empty where this process does not
   *     know the version
   * @param steps empty where this process does not know the version
   */
  @Schema(name = "SagaDefinitionVersion")
  record Version(
      int version,
      boolean startVersion,
      int share,
      int knownBy,
      boolean drained,
      int open,
      @Nullable Integer ended,
      List<String> searchable,
      List<StepOfDefinition> steps) {}

  /**
   * A step.
   *
   * @param kind {@code step}, {@code pivot}, {@code parallel} or {@code local}
   * @param command the type of its message; null where it has none, or makes it when it is sent
   * @param participant who gets it; null likewise
   * @param compensation what undoes it; null where nothing does
   * @param parallelGroup the same number for steps that are taken together, from 1 on; null for
   *     others
   */
  @Schema(name = "StepOfDefinition")
  record StepOfDefinition(
      String name,
      String kind,
      @Nullable String command,
      @Nullable String participant,
      @Nullable String compensation,
      @Nullable Integer parallelGroup) {}

  /** The steps of a version in their order. */
  static List<StepOfDefinition> steps(SagaDefinition<?> definition, ReplyPolicy policy) {
    List<StepOfDefinition> all = new ArrayList<>();
    int group = 0;
    for (StepGroup<?> part : definition.parts()) {
      boolean isParallel = part.members().size() > 1;
      group += isParallel ? 1 : 0;
      for (Step<?> step : part.members()) {
        all.add(step(step, isParallel ? group : null, policy));
      }
    }
    return List.copyOf(all);
  }

  private static StepOfDefinition step(Step<?> step, @Nullable Integer group, ReplyPolicy policy) {
    Optional<RecordCommand<?, ?>> command = command(step);
    return new StepOfDefinition(
        step.name(),
        kind(step, group),
        command.map(it -> it.type().getSimpleName()).orElse(null),
        command.map(it -> policy.participantOf(it.routingKey())).orElse(null),
        step.compensation().map(Compensation::name).orElse(null),
        group);
  }

  private static String kind(Step<?> step, @Nullable Integer group) {
    if (step.isPivot()) {
      return "pivot";
    }
    if (group != null) {
      return "parallel";
    }
    return step instanceof Step.Send ? "step" : "local";
  }

  private static Optional<RecordCommand<?, ?>> command(Step<?> step) {
    return step instanceof Step.Send<?> send ? recorded(send.command()) : Optional.empty();
  }

  private static Optional<RecordCommand<?, ?>> recorded(Function<?, OutgoingCommand> command) {
    return command instanceof RecordCommand<?, ?> it ? Optional.of(it) : Optional.empty();
  }
}
