package io.onceflow.saga.internal.repair;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A repair as it is shown, in the shape of its JSON.
 *
 * @param reason in the operator's words; null when nothing was said, and when it is hidden
 * @param approvedBy null unless a second operator had to approve, and has
 * @param finishedAt null until then
 * @param total the sagas that were chosen
 * @param choosing whether they are still being chosen, so that the total grows and none is acted on
 * @param etaMs how long the pending ones take at its rate; null unless it is running and all sagas
 *     have been chosen
 * @param failureReasons of those that failed or were refused, the most frequent first
 * @param hidden whether reason and filter are kept from the caller, who is no operator
 */
record Repair(
    UUID id,
    RepairAction action,
    @Nullable RepairFilter filter,
    @Nullable String reason,
    int perSecond,
    RepairStatus status,
    String startedBy,
    @Nullable String approvedBy,
    Instant startedAt,
    @Nullable Instant finishedAt,
    int total,
    boolean choosing,
    Done done,
    @Nullable Long etaMs,
    List<FailureReason> failureReasons,
    boolean hidden) {

  /** How many sagas have each outcome. */
  @Schema(name = "RepairDone")
  record Done(int requested, int repaired, int failed, int refused, int pending) {

    int total() {
      return requested + repaired + failed + refused + pending;
    }
  }

  /** Why sagas failed or refused, and how many for this reason. */
  @Schema(name = "RepairFailureReason")
  record FailureReason(String why, long count) {}

  /** A saga of a repair. */
  @Schema(name = "RepairedSaga")
  record RepairedSaga(UUID saga, RepairOutcome outcome, @Nullable String why, Instant at) {}

  Repair withFailureReasons(List<FailureReason> reasons) {
    return with(filter, reason, reasons, hidden);
  }

  /** As somebody sees it who may not see what names customers. */
  Repair withoutPersonalData() {
    return with(null, null, failureReasons, true);
  }

  private Repair with(
      @Nullable RepairFilter chosenBy,
      @Nullable String said,
      List<FailureReason> reasons,
      boolean isHidden) {
    return new Repair(
        id,
        action,
        chosenBy,
        said,
        perSecond,
        status,
        startedBy,
        approvedBy,
        startedAt,
        finishedAt,
        total,
        choosing,
        done,
        etaMs,
        reasons,
        isHidden);
  }
}
