package io.onceflow.saga.internal.repair;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonRawValue;
import io.onceflow.saga.internal.operators.SagaDetails;
import io.onceflow.saga.internal.store.view.SagaFilter;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A repair as it is shown, in the shape of its JSON.
 *
 * @param filter as JSON: one that a newer release has written may not be read by this one
 * @param reason in the operator's words; null when nothing was said, and when it is hidden
 * @param until when the sagas that it holds are resumed; null for by hand, and for other actions
 * @param version to which they are migrated; null for other actions
 * @param approvedBy null unless a second operator had to approve, and has
 * @param finishedAt null until then
 * @param failureReasons of those that failed or were refused, the most frequent first
 * @param hidden whether reason and filter are kept from the caller, who is no operator
 */
record Repair(
    UUID id,
    SagaDetails.Kind action,
    @Schema(implementation = SagaFilter.class) @JsonRawValue @Nullable String filter,
    @Nullable String reason,
    @Nullable Instant until,
    @Nullable Integer version,
    int perSecond,
    RepairStatus status,
    String startedBy,
    @Nullable String approvedBy,
    Instant startedAt,
    @Nullable Instant finishedAt,
    Done done,
    List<FailureReason> failureReasons,
    boolean hidden) {

  /** How many sagas have each outcome. */
  @Schema(name = "RepairDone")
  record Done(int requested, int repaired, int failed, int refused, int pending) {

    static final Done NONE = new Done(0, 0, 0, 0, 0);
  }

  /** Why sagas failed or refused, and how many for this reason. */
  @Schema(name = "RepairFailureReason")
  record FailureReason(String why, long count) {}

  /** A saga of a repair. */
  @Schema(name = "RepairedSaga")
  record RepairedSaga(UUID saga, RepairOutcome outcome, @Nullable String why, Instant at) {}

  /** The sagas that the filter found when it started. */
  @JsonProperty
  int total() {
    return done.requested() + done.repaired() + done.failed() + done.refused() + done.pending();
  }

  /** How long the pending ones take at its rate; null unless it is running. */
  @JsonProperty
  @Nullable Long etaMs() {
    return status == RepairStatus.RUNNING ? done.pending() * 1_000L / perSecond : null;
  }

  Repair counted(Done counted, List<FailureReason> reasons) {
    return with(filter, reason, counted, reasons, hidden);
  }

  /** For callers who may not see what names customers. */
  Repair withoutPersonalData() {
    return with(null, null, done, failureReasons, true);
  }

  private Repair with(
      @Nullable String chosenBy,
      @Nullable String said,
      Done counted,
      List<FailureReason> reasons,
      boolean isHidden) {
    return new Repair(
        id,
        action,
        chosenBy,
        said,
        until,
        version,
        perSecond,
        status,
        startedBy,
        approvedBy,
        startedAt,
        finishedAt,
        counted,
        reasons,
        isHidden);
  }
}
