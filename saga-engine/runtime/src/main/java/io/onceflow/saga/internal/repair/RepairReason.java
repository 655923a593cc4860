package io.onceflow.saga.internal.repair;

import io.onceflow.core.internal.Printable;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Why an operator pauses, resumes, stops or approves a repair; kept in the audit log.
 *
 * @param reason in the operator's words, one line; null when nothing is said
 */
record RepairReason(
    @Schema(examples = "the gateway is slow again")
        @Nullable
        @Size(max = 500, message = "must be at most 500 characters")
        @Pattern(regexp = Printable.VISIBLE, message = "must be one line of visible text")
        String reason) {

  /** What was said in a body that may be missing. */
  static @Nullable String of(@Nullable RepairReason body) {
    return body == null ? null : body.reason();
  }
}
