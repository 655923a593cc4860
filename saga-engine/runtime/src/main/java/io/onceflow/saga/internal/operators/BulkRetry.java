package io.onceflow.saga.internal.operators;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The result of a retry of many sagas.
 *
 * @param dryRun whether nothing was done
 * @param sagas in the order that was asked for
 * @param next cursor for those that come after; absent when there are no more
 */
@JsonInclude(Include.NON_NULL)
record BulkRetry(boolean dryRun, List<Each> sagas, @Nullable UUID next) {

  /**
   * The result for one saga.
   *
   * @param outcome {@code would be retried} in a dry run; {@code refused} where the saga's state
   *     does not allow it; {@code failed} where it cannot be read or handling it failed: it is
   *     unchanged, and the others are not affected
   * @param why absent unless refused or failed
   */
  @JsonInclude(Include.NON_NULL)
  @Schema(name = "RetriedSaga")
  record Each(
      UUID id,
      @Schema(enumeration = {"retried", "would be retried", "refused", "failed"}) String outcome,
      @Nullable String why) {

    static Each of(UUID id, String done, @Nullable String objection) {
      return new Each(id, objection == null ? done : "refused", objection);
    }
  }
}
