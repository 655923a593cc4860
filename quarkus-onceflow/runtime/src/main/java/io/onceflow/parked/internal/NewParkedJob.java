package io.onceflow.parked.internal;

import io.onceflow.core.internal.Printable;
import io.onceflow.inbox.internal.parking.ParkedJob.JobAction;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A job on a group of parked messages that an operator asks for.
 *
 * @param group the fingerprint of the group
 * @param reason in the operator's words, one line; kept in the audit log; may be absent in a dry
 *     run only
 * @param perSecond how many messages a second at most; 20 when it is absent
 * @param dryRun whether to tell only what would be done; true unless false is said
 */
public record NewParkedJob(
    @NotNull(message = "must be given") JobAction action,
    @Schema(examples = "0123456789abcdef0123456789abcdef")
        @NotNull(message = "must be given")
        @Pattern(
            regexp = ParkedMessageResource.FINGERPRINT,
            message = "must be the fingerprint of a group")
        String group,
    @Schema(examples = "the gateway is back")
        @Nullable
        @Size(max = 200, message = "must be at most 200 characters")
        @Pattern(regexp = Printable.VISIBLE, message = "must be one line of visible text")
        String reason,
    @Nullable @Min(1) @Max(NewParkedJob.FASTEST) Integer perSecond,
    @Nullable Boolean dryRun) {

  /** What a turn of a replica is enough for. */
  static final int FASTEST = 100;

  /** A participant that has just come back manages this beside its other work. */
  private static final int USUAL = 20;

  int rate() {
    return perSecond == null ? USUAL : perSecond;
  }

  /** Only an explicit false makes the request change anything. */
  boolean isDry() {
    return !Boolean.FALSE.equals(dryRun);
  }
}
