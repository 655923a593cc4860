package io.onceflow.saga.internal.repair;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.store.view.SagaFilter;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.BadRequestException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Which sagas a repair is about, in the shape of its JSON; a saga must match all parts. Parts that
 * are absent match any. They mean what the parameters of the list of sagas mean.
 *
 * @param status of a saga that has not ended
 * @param definition the definition's name
 * @param version the definition's
 * @param step that they wait for now
 * @param reason why they are being undone
 * @param olderThan started at least this long ago: an ISO-8601 duration
 * @param startedAfter not before this moment
 * @param startedBefore before this moment
 * @param quarantined whether in quarantine
 * @param overdue true for those whose timer or deadline has passed
 * @param customer whose they are
 * @param attribute what they were started with: a name and a value, such as orderNumber:4711
 */
@JsonInclude(Include.NON_NULL)
record RepairFilter(
    @Nullable SagaStatus status,
    @Nullable @Pattern(regexp = RepairFilter.NAME, message = RepairFilter.NO_NAME)
        String definition,
    @Nullable @Min(1) Integer version,
    @Nullable @Pattern(regexp = RepairFilter.NAME, message = RepairFilter.NO_NAME) String step,
    @Nullable @Pattern(regexp = RepairFilter.NAME, message = RepairFilter.NO_NAME) String reason,
    @Schema(examples = "PT1H") @Nullable String olderThan,
    @Nullable Instant startedAfter,
    @Nullable Instant startedBefore,
    @Nullable Boolean quarantined,
    @Nullable Boolean overdue,
    @Nullable @Pattern(regexp = "[^\\x00]{1,200}", message = "must have 1 to 200 characters")
        String customer,
    @Nullable
        @Schema(examples = "orderNumber:4711")
        @Size(max = 1000, message = "must have 1000 characters at most")
        String attribute) {

  static final String NAME = "[!-~]{1,200}";

  static final String NO_NAME = "must be a name: 1 to 200 visible ASCII characters";

  /** Longer than anything is kept; the database could not count much longer ones. */
  private static final Duration OLDEST = Duration.ofDays(3650);

  private static final Instant FIRST = Instant.parse("2000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("3000-01-01T00:00:00Z");

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
    if (status == null && !isTrue(quarantined) && !isTrue(overdue) && step == null) {
      throw new BadRequestException(
          "filter may find sagas that have ended: add a status (RUNNING, COMPENSATING or STUCK), a"
              + " step, quarantined=true or overdue=true");
    }
    age();
    attributeChecked();
    check("startedAfter", startedAfter);
    check("startedBefore", startedBefore);
  }

  private static boolean isTrue(@Nullable Boolean part) {
    return Boolean.TRUE.equals(part);
  }

  /** PostgreSQL has no moments that are much further away. */
  private static void check(String part, @Nullable Instant moment) {
    if (moment != null && (moment.isBefore(FIRST) || moment.isAfter(LAST))) {
      throw new BadRequestException(
          "filter.%s is %s: a moment such as 2026-03-01T08:00:00Z".formatted(part, moment));
    }
  }

  /** A page of the sagas, oldest first. */
  SagaFilter page(@Nullable UUID after, int limit) {
    return new SagaFilter(
        status,
        new SagaFilter.Definition(definition, version),
        step,
        reason,
        quarantined,
        isTrue(overdue),
        new SagaFilter.Started(age(), startedAfter, startedBefore),
        new SagaFilter.Business(null, customer, attributeChecked()),
        new SagaFilter.Page(after, false, limit));
  }

  private SagaFilter.@Nullable Attribute attributeChecked() {
    return attribute == null
        ? null
        : SagaFilter.Attribute.of(attribute)
            .orElseThrow(
                () ->
                    new BadRequestException(
                        "filter.attribute is no name and value, such as orderNumber:4711"));
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
    return "filter.olderThan is %s: an ISO-8601 duration such as PT1H or P2D, from zero to %s days"
        .formatted(olderThan, OLDEST.toDays());
  }
}
