package io.onceflow.saga.internal.operators;

import com.fasterxml.jackson.annotation.JsonAlias;
import io.onceflow.core.internal.Printable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A compensation that an operator skips.
 *
 * @param why in the operator's words, one line; needed, since what the step did stays
 */
record SkipRequest(
    @JsonAlias("reason")
        @Schema(examples = "refunded by hand, receipt 4711")
        @NotBlank(message = "is needed")
        @Size(max = 500, message = "must be at most 500 characters")
        @Pattern(regexp = Printable.VISIBLE, message = "must be one line of visible text")
        String why) {}
