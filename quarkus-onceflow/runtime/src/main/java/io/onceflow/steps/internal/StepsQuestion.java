package io.onceflow.steps.internal;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.ScopeResolver;
import io.onceflow.inbox.internal.HandledSteps.Owner;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.BadRequestException;
import java.util.List;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Which steps a caller asks about, as the step keys have it.
 *
 * @param scope whose root key it is
 * @param rootKey the client's idempotency key
 * @param origin application and definition; null or empty for a command that named none
 * @param steps names of steps and compensations
 */
record StepsQuestion(
    @Schema(examples = "alice")
        @NotNull
        @Size(min = 1, max = ScopeResolver.MAX_LENGTH)
        @Pattern(regexp = "[^\\p{Cntrl}\\p{Cs}]*", message = "must be visible characters")
        String scope,
    @Schema(examples = "5f0c7a3e-1f4b-4c57-9d7e-0a9f6f1f2b11")
        @NotNull
        @Pattern(
            regexp = "[ -~]{1," + IdempotencyKey.MAX_LENGTH + "}",
            message = "must be an idempotency key")
        String rootKey,
    @Schema(examples = "order-service/place-order")
        @Nullable
        @Pattern(regexp = "[!-9;-~]{0,255}", message = "must be printable, without colons")
        String origin,
    @Schema(examples = "[\"process-payment\", \"refund-payment\"]")
        @NotEmpty
        @Size(max = StepsQuestion.MOST)
        List<@Nullable String> steps) {

  /** More than any definition has. */
  static final int MOST = 200;

  private static final java.util.regex.Pattern NAME =
      java.util.regex.Pattern.compile("[A-Za-z0-9._-]{1,64}(/[A-Za-z0-9._-]{1,64})?");

  Owner owner() {
    return new Owner(scope, new IdempotencyKey(rootKey), Objects.requireNonNullElse(origin, ""));
  }

  List<String> names() {
    return steps.stream().map(StepsQuestion::name).distinct().toList();
  }

  private static String name(@Nullable String step) {
    if (step == null || !NAME.matcher(step).matches()) {
      throw new BadRequestException("each of steps has to match " + NAME);
    }
    return step;
  }
}
