package io.onceflow.parked.internal;

import io.onceflow.core.internal.Printable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What an operator makes of a parked message's payload.
 *
 * @param payload the whole of it, as text
 * @param reason in the operator's words, one line; kept in the audit log
 */
public record ParkedEdit(
    @Schema(examples = "{\"orderId\": \"0199c3a4-6020-7d11-8c44-52a1b0c9d302\"}")
        @NotNull(message = "must be given")
        @Size(max = ParkedEdit.LONGEST, message = "must be at most 262144 characters")
        String payload,
    @Schema(examples = "the amount had a comma")
        @NotBlank(message = "must be given")
        @Size(max = 200, message = "must be at most 200 characters")
        @Pattern(regexp = Printable.VISIBLE, message = "must be one line of visible text")
        String reason) {

  /**
   * Far above what a command or a reply holds; as JSON text in a request it may be six times that.
   */
  static final int LONGEST = 256 * 1024;
}
