package io.onceflow.participants.internal;

import io.onceflow.core.internal.Printable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.BadRequestException;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Why an operator pauses or resumes a service; kept in its audit log.
 *
 * @param reason in the operator's words, one line
 */
record PauseReason(
    @Schema(examples = "the gateway is being moved")
        @NotBlank(message = "must be given")
        @Size(max = 200, message = "must be at most 200 characters")
        @Pattern(regexp = Printable.VISIBLE, message = "must be one line of visible text")
        String reason) {

  /** What a caller is told who gives no body. */
  static BadRequestException missing() {
    return new BadRequestException("a body with the reason is missing");
  }
}
