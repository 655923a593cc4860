package io.onceflow.saga.internal.operators;

import com.fasterxml.jackson.annotation.JsonAlias;
import io.onceflow.core.internal.Printable;
import jakarta.validation.constraints.Future;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A hold that an operator asks for.
 *
 * @param why in the operator's words, one line; null when nothing is said
 * @param until when it is resumed by itself; null for by hand only
 */
public record HoldRequest(
    @JsonAlias("reason")
        @Schema(examples = "the gateway charges twice")
        @Nullable
        @Size(max = 500, message = "must be at most 500 characters")
        @Pattern(regexp = Printable.VISIBLE, message = "must be one line of visible text")
        String why,
    @Nullable @Future(message = "must be in the future") Instant until) {

  /** What was said in a body that may be missing. */
  public static SagaDetails.Asked asked(@Nullable HoldRequest body, String by) {
    return body == null
        ? new SagaDetails.Asked(by, null)
        : new SagaDetails.Asked(by, body.why(), body.until());
  }
}
