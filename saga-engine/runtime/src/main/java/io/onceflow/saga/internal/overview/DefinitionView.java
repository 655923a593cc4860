package io.onceflow.saga.internal.overview;

import io.onceflow.saga.SagaView.Hold;
import io.onceflow.saga.internal.store.control.DefinitionControl.StartShare;
import java.util.List;
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
   * @param kind {@code step}, {@code pivot}, {@code parallel}, {@code local}, {@code choice},
   *     {@code items}, {@code wait}, {@code sleep}, {@code approval} or {@code fallback}
   * @param command the type of its message; null where it has none, or makes it when it is sent
   * @param participant who gets it; null likewise
   * @param compensation what undoes it; null where nothing does
   * @param parallelGroup the same number for steps that are taken together, from 1 on; null for
   *     others
   * @param partOf the choice, the wait, or the step with a fallback that it is part of; null for
   *     others
   * @param way the way of that on which it is: a branch, {@code otherwise} or {@code fallback}
   * @param ways those that it has itself, in their order; some may have no steps
   * @param terms what else holds for it, in words; null where nothing does
   */
  @Schema(name = "StepOfDefinition")
  record StepOfDefinition(
      String name,
      String kind,
      @Nullable String command,
      @Nullable String participant,
      @Nullable String compensation,
      @Nullable Integer parallelGroup,
      @Nullable String partOf,
      @Nullable String way,
      List<String> ways,
      @Nullable String terms) {}
}
