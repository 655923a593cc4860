package io.onceflow.saga.internal.repair;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.store.view.SagaFilter;
import jakarta.validation.constraints.Pattern;
import jakarta.ws.rs.BadRequestException;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Which sagas a repair is about, in the shape of its JSON; a saga must match all parts. Parts that
 * are absent match any.
 *
 * @param status of a saga that has not ended
 * @param definition the definition's name
 * @param olderThan started at least this long ago: an ISO-8601 duration
 * @param quarantined whether in quarantine
 */
@JsonInclude(Include.NON_NULL)
record RepairFilter(
    @Nullable SagaStatus status,
    @Nullable @Pattern(regexp = "[!-~]{1,200}", message = "must be a name, such as place-order")
        String definition,
    @Schema(examples = "PT1H") @Nullable String olderThan,
    @Nullable Boolean quarantined) {

  /** Longer than anything is kept; the database could not count much longer ones. */
  private static final Duration OLDEST = Duration.ofDays(3650);

  /**
   * Refuses a part that is not known, also where the application ignores what it does not know:
   * left out, the repair would be about more sagas than was meant.
   */
  @JsonAnySetter
  void refuseUnknown(String part, Object value) {
    throw new IllegalArgumentException("a filter has no part " + part);
  }

  /**
   * Refuses a filter that would read through the sagas that have ended, which wait for nothing.
   *
   * @throws BadRequestException that names the part that is wrong
   */
  void check() {
    if (status != null && status.isEnd()) {
      throw new BadRequestException(
          "filter.status is %s: sagas that have ended wait for nothing".formatted(status));
    }
    if (status == null && !Boolean.TRUE.equals(quarantined)) {
      throw new BadRequestException(
          "filter names no status: RUNNING, COMPENSATING or STUCK, or quarantined=true");
    }
    age();
  }

  /** A page of the sagas. */
  SagaFilter page(@Nullable UUID after, int limit) {
    return new SagaFilter(status, definition, age(), quarantined, after, limit);
  }

  private @Nullable Duration age() {
    if (olderThan == null) {
      return null;
    }
    try {
      Duration age = Duration.parse(olderThan);
      if (!age.isNegative() && age.compareTo(OLDEST) <= 0) {
        return age;
      }
    } catch (DateTimeException e) {
      throw new BadRequestException(noAge(), e);
    }
    throw new BadRequestException(noAge());
  }

  private String noAge() {
    return "filter.olderThan is %s: an ISO-8601 duration such as PT1H or P2D, from zero to %d days"
        .formatted(olderThan, OLDEST.toDays());
  }
}
