package io.onceflow.saga.internal.repair;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A repair on which this process works.
 *
 * @param token counts the owners of the lease; what is written with an earlier one is refused
 * @param reason in the operator's words; null when nothing was said
 * @param position the last saga that was looked at while they are chosen; null before the first
 * @param hasChosenAll whether all sagas have been chosen
 */
record LeasedRepair(
    UUID id,
    long token,
    RepairAction action,
    RepairFilter filter,
    @Nullable String reason,
    RepairStatus status,
    String startedBy,
    Instant startedAt,
    @Nullable UUID position,
    boolean hasChosenAll) {

  /** Why the action is done, for the history of each saga. */
  String told() {
    return reason == null ? "repair " + id : "repair %s: %s".formatted(id, reason);
  }
}
