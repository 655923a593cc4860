package io.onceflow.idempotency.internal.store;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The records of many requests in one commit ({@code @Idempotent(mode = SHARED)}). All methods
 * block, and throw {@link IdempotencyUnusable} if the store cannot be asked.
 */
public interface SharedRecords {

  /**
   * A request with its answer.
   *
   * @param request to be stored if it is the first under its key
   * @param response its answer in that case
   */
  record Decided(ClaimRequest request, StoredResponse response) {}

  /** The result for one request. */
  sealed interface WriteResult {

    /** Its record was written, with its answer. */
    record Written(Ownership own, CompletedResponse response) implements WriteResult {}

    /** There is another claim of its key, and nothing was written. */
    record Conflict(Claim claim) implements WriteResult {}
  }

  /** Looks a key up in a cache; empty if the database must be asked. */
  Optional<Claim> findCached(ClaimRequest request);

  /**
   * Looks keys up, without claims or locks.
   *
   * @return no entry for an unused key, nor for one whose lease has expired
   */
  Map<ClaimRequest, Claim> find(List<ClaimRequest> requests);

  /**
   * Inserts completed records in the caller's transaction, without waiting for other requests.
   *
   * @param decided each under another key
   * @return the results, in their order
   */
  List<WriteResult> write(List<Decided> decided);
}
