package io.onceflow.saga.internal.repair;

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
        @Pattern(regexp = RepairReason.VISIBLE, message = "must be one line of visible text")
        String reason) {

  /** No control or format characters, no separators of lines, no halves of surrogate pairs. */
  static final String VISIBLE = "[^\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]*";

  /** What was said in a body that may be missing. */
  static @Nullable String of(@Nullable RepairReason body) {
    return body == null ? null : body.reason();
  }
}
