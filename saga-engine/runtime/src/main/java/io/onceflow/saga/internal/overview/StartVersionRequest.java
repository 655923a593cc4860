package io.onceflow.saga.internal.overview;

import com.fasterxml.jackson.annotation.JsonAlias;
import io.onceflow.core.internal.Printable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A version for a share of the new sagas of a definition.
 *
 * @param share in a hundred; 0 for all as configured again
 * @param why in the operator's words, one line; null when nothing is said
 */
record StartVersionRequest(
    @NotNull @Min(1) Integer version,
    @NotNull @Min(0) @Max(100) Integer share,
    @JsonAlias("reason")
        @Schema(examples = "the first tenth")
        @Nullable
        @Size(max = 500, message = "must be at most 500 characters")
        @Pattern(regexp = Printable.VISIBLE, message = "must be one line of visible text")
        String why) {}
