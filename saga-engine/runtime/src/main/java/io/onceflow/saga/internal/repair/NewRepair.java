package io.onceflow.saga.internal.repair;

import io.onceflow.core.internal.Printable;
import io.onceflow.saga.internal.operators.SagaDetails;
import io.onceflow.saga.internal.store.view.SagaFilter;
import io.onceflow.saga.internal.store.view.SagaList;
import jakarta.validation.constraints.Future;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A repair that an operator asks for.
 *
 * @param filter which sagas; read by {@link io.onceflow.saga.internal.operators.SagaFilterReader}
 * @param reason in the operator's words, one line; kept in the history of each saga
 * @param until when what it holds is resumed by itself; for the action hold only
 * @param perSecond how many sagas a second at most; 20 when it is absent
 * @param version to which they are migrated; for the action migrate only
 * @param limit how many are migrated at most, the oldest first; null for all
 * @param dryRun whether to tell only what would be done; true unless false is said
 */
record NewRepair(
    @NotNull SagaDetails.Kind action,
    @Schema(implementation = SagaFilter.class) @NotNull Map<String, Object> filter,
    @Schema(examples = "the gateway is back")
        @Nullable
        @Size(max = 500, message = "must be at most 500 characters")
        @Pattern(regexp = Printable.VISIBLE, message = "must be one line of visible text")
        String reason,
    @Nullable @Future(message = "must be in the future") Instant until,
    @Nullable @Min(1) @Max(NewRepair.FASTEST) Integer perSecond,
    @Nullable @Min(1) Integer version,
    @Nullable @Min(1) @Max(SagaList.COUNTED) Integer limit,
    @Nullable Boolean dryRun) {

  /** What one replica manages on a fast machine. */
  static final int FASTEST = 1_000;

  /** A participant that has just come back manages this beside its other work. */
  private static final int USUAL = 20;

  int rate() {
    return perSecond == null ? USUAL : perSecond;
  }

  boolean isMigration() {
    return action == SagaDetails.Kind.MIGRATE;
  }

  /** What is done, as the audit log has it. */
  String words() {
    return isMigration() ? "migrate to version " + version : action.word();
  }

  /** Only an explicit false makes the request change anything. */
  boolean isDry() {
    return !Boolean.FALSE.equals(dryRun);
  }
}
