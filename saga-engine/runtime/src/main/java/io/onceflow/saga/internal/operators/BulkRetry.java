package io.onceflow.saga.internal.operators;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The result of a retry of many sagas.
 *
 * @param dryRun whether nothing was done
 * @param sagas oldest first
 * @param next cursor for those that come after; absent when there are no more
 */
@JsonInclude(Include.NON_NULL)
record BulkRetry(boolean dryRun, List<Each> sagas, @Nullable UUID next) {

  /**
   * The result for one saga.
   *
   * @param why absent unless refused or failed
   */
  @JsonInclude(Include.NON_NULL)
  @Schema(name = "RetriedSaga")
  record Each(UUID id, Outcome outcome, @Nullable String why) {}

  /** What became of one saga. */
  @Schema(name = "RetryOutcome")
  enum Outcome {
    /** What it waits for was sent. */
    @JsonProperty("retried")
    RETRIED,
    /** In a dry run: it would be sent. */
    @JsonProperty("would be retried")
    WOULD_BE_RETRIED,
    /** The saga's state does not allow it any more. */
    @JsonProperty("refused")
    REFUSED,
    /** It failed; this saga is unchanged, and the others are not affected. */
    @JsonProperty("failed")
    FAILED
  }
}
