package io.onceflow.order.imports;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * An import as its customer sees it.
 *
 * @param idempotencyKey under which it was sent
 * @param total how many orders were sent
 * @param placed how many of them are placed
 * @param orders ids of those that are, in the order in which they were sent; absent in a list
 * @param endedAt absent while it runs
 */
@JsonInclude(Include.NON_NULL)
public record OrderImport(
    UUID id,
    Status status,
    String idempotencyKey,
    int total,
    int placed,
    @Nullable List<UUID> orders,
    Instant createdAt,
    @Nullable Instant endedAt) {

  /**
   * Where an import stands.
   *
   * <pre>
   * RUNNING ──► COMPLETED
   *    │
   *    └──────► ABANDONED
   * </pre>
   */
  @Schema(name = "ImportStatus")
  public enum Status {
    /** Its orders are being placed. */
    RUNNING,
    /** All of them are placed. */
    COMPLETED,
    /**
     * Its key was given up before it ended, and was then used for other orders. Those that it had
     * placed stand.
     */
    ABANDONED
  }

  OrderImport with(List<UUID> ids) {
    return new OrderImport(
        id, status, idempotencyKey, total, placed, List.copyOf(ids), createdAt, endedAt);
  }
}
