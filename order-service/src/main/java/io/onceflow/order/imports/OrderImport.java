package io.onceflow.order.imports;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
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
    ImportStatus status,
    String idempotencyKey,
    int total,
    int placed,
    @Nullable List<UUID> orders,
    Instant createdAt,
    @Nullable Instant endedAt) {

  OrderImport with(List<UUID> ids) {
    return new OrderImport(
        id, status, idempotencyKey, total, placed, List.copyOf(ids), createdAt, endedAt);
  }
}
