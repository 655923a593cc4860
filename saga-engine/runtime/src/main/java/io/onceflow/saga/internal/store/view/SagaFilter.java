package io.onceflow.saga.internal.store.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.onceflow.saga.Saga.SagaStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Which sagas a list or a repair is about, in the shape of its JSON; a saga must match all parts.
 * Parts that are absent match any.
 *
 * @param open true for those that have not ended
 * @param definition the definition's name
 * @param version the definition's
 * @param step that they wait for now, or for the compensation of which
 * @param direction forward for those that wait for a step, backward for its compensation
 * @param command the routing key of the command that they wait for now, or its first word, which
 *     leads to its participant: such as payment.refund or payment
 * @param failure the fingerprint of a group of failing sagas
 * @param reason why they are or were undone
 * @param olderThan started at least this long ago by the database's clock: an ISO-8601 duration
 * @param startedAfter not before this moment
 * @param startedBefore before this moment
 * @param quarantined whether in quarantine
 * @param held whether on hold
 * @param overdue true for those whose timer should have been served 10 s ago, or whose deadline has
 *     passed
 * @param subject the business's row, such as an order
 * @param customer the scope of their root key
 * @param attribute what they were started with: a name and a value, such as orderNumber:4711; of a
 *     longer value its first 200 characters count
 * @param repair that has repaired, held, resumed or migrated them
 */
@JsonInclude(Include.NON_NULL)
public record SagaFilter(
    @Nullable SagaStatus status,
    @Nullable Boolean open,
    @Nullable String definition,
    @Nullable Integer version,
    @Nullable String step,
    @Schema(examples = "backward") @Nullable String direction,
    @Schema(examples = "payment") @Nullable String command,
    @Nullable String failure,
    @Nullable String reason,
    @Schema(examples = "PT1H") @Nullable String olderThan,
    @Nullable Instant startedAfter,
    @Nullable Instant startedBefore,
    @Nullable Boolean quarantined,
    @Nullable Boolean held,
    @Nullable Boolean overdue,
    @Nullable UUID subject,
    @Nullable String customer,
    @Schema(examples = "orderNumber:4711") @Nullable String attribute,
    @Nullable UUID repair) {

  /**
   * A part of a list.
   *
   * @param after the last id of the page before; null for the first page
   * @param newestFirst else oldest first
   * @param limit how many at most
   */
  public record Page(@Nullable UUID after, boolean newestFirst, int limit) {}

  @Nullable Duration age() {
    return olderThan == null ? null : Duration.parse(olderThan);
  }

  boolean isOverdue() {
    return Boolean.TRUE.equals(overdue);
  }

  /** Whether the steps of a saga have to be read, which takes longer than the rest. */
  boolean readsSteps() {
    return step != null || direction != null || command != null || failure != null;
  }

  /** Whether only sagas that have not ended can match. */
  public boolean excludesEnded() {
    return readsSteps()
        || Boolean.TRUE.equals(open)
        || isOverdue()
        || Boolean.TRUE.equals(quarantined)
        || Boolean.TRUE.equals(held)
        || (status != null && !status.isEnd());
  }

  /** Whether no index but those of definitions leads to what matches. */
  boolean isOfADefinitionOnly() {
    return definition != null
        && status == null
        && reason == null
        && subject == null
        && customer == null
        && attribute == null
        && repair == null
        && !excludesEnded();
  }
}
