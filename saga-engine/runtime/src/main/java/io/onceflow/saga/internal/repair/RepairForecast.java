package io.onceflow.saga.internal.repair;

import static java.util.Comparator.comparing;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import io.onceflow.saga.internal.operators.SagaDetails;
import io.onceflow.saga.internal.store.view.SagaList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * What a repair would come to, in the shape of its JSON. Nothing has changed.
 *
 * @param dryRun true
 * @param count the sagas that the filter finds, counted up to {@link SagaList#COUNTED}
 * @param exact whether there are no more
 * @param allowed of the first 500, or of all counted ones if they are to be migrated, how many
 *     would let themselves be repaired; those in quarantine were tried
 * @param refused of the same, how many would not
 * @param reasons why they would not, the most frequent first
 * @param samples of the first ones, those that would not before the others
 * @param warnings why sagas that allow it may not be repaired nevertheless, in sentences
 * @param filterHash by which two repairs are the same
 */
record RepairForecast(
    boolean dryRun,
    int count,
    boolean exact,
    int allowed,
    int refused,
    List<Repair.FailureReason> reasons,
    List<Sample> samples,
    List<String> warnings,
    String filterHash) {

  private static final int SAMPLES = 20;

  /**
   * What would become of one saga.
   *
   * @param why it would refuse; null when it would not
   * @param comesTo what would be done; null when it would refuse
   */
  @Schema(name = "RepairSample")
  record Sample(UUID saga, boolean allowed, @Nullable String why, @Nullable String comesTo) {}

  /**
   * Puts it together.
   *
   * @param failed why those failed that were tried
   */
  static RepairForecast of(
      Foreseen foreseen, Map<UUID, String> failed, List<String> warnings, byte[] hash) {
    Map<UUID, SagaDetails.Action> actions = new LinkedHashMap<>(foreseen.actions());
    failed.forEach(
        (id, why) ->
            actions.computeIfPresent(
                id, (same, it) -> new SagaDetails.Action(it.action(), false, why, null)));
    int allowed = (int) actions.values().stream().filter(SagaDetails.Action::allowed).count();
    return new RepairForecast(
        true,
        Math.min(foreseen.count(), SagaList.COUNTED),
        foreseen.count() <= SagaList.COUNTED,
        allowed,
        actions.size() - allowed,
        reasons(actions.values()),
        actions.entrySet().stream()
            .sorted(Map.Entry.comparingByValue((a, b) -> Boolean.compare(a.allowed(), b.allowed())))
            .limit(SAMPLES)
            .map(it -> sample(it.getKey(), it.getValue()))
            .toList(),
        warnings,
        HexFormat.of().formatHex(hash));
  }

  private static List<Repair.FailureReason> reasons(Collection<SagaDetails.Action> actions) {
    return actions.stream()
        .filter(it -> !it.allowed())
        .collect(groupingBy(it -> String.valueOf(it.why()), counting()))
        .entrySet()
        .stream()
        .map(it -> new Repair.FailureReason(it.getKey(), it.getValue()))
        .sorted(comparing(Repair.FailureReason::count).reversed())
        .toList();
  }

  private static Sample sample(UUID saga, SagaDetails.Action action) {
    return new Sample(saga, action.allowed(), action.why(), action.comesTo());
  }
}
