package io.onceflow.saga.internal.operators;

import com.fasterxml.jackson.annotation.JsonAlias;
import io.onceflow.core.internal.Printable;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Why an operator asks for something; kept in the saga's history, and in the audit log.
 *
 * @param why in the operator's words, one line; null when nothing is said
 */
public record OperatorReason(
    // As repairs and the audit log call it.
    @JsonAlias("reason")
        @Schema(examples = "the gateway is back")
        @Nullable
        @Size(max = 500, message = "must be at most 500 characters")
        @Pattern(regexp = Printable.VISIBLE, message = "must be one line of visible text")
        String why) {

  /** What was said in a body that may be missing. */
  public static @Nullable String of(@Nullable OperatorReason body) {
    return body == null ? null : body.why();
  }
}
