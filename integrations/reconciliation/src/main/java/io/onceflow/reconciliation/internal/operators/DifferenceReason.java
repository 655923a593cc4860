package io.onceflow.reconciliation.internal.operators;

import io.onceflow.core.internal.Printable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Why an operator mends or dismisses a difference; kept with it and in the audit log.
 *
 * @param reason in the operator's words, one line
 */
record DifferenceReason(
    @Schema(examples = "charged by hand on Friday, see ticket 4711")
        @NotBlank
        @Size(max = 500, message = "must be at most 500 characters")
        @Pattern(regexp = Printable.VISIBLE, message = "must be one line of visible text")
        String reason) {}
