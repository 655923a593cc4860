package io.onceflow.idempotency.internal.store;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Records of many requests at once, for commits that are shared ({@code @Idempotent(mode =
 * SHARED)}). All methods block. All throw {@link IdempotencyUnusable} when the store cannot be
 * asked.
 */
public interface SharedRecords {

  /**
   * A request that was decided, and its answer.
   *
   * @param request that wants to be the first under its key
   * @param response what it is answered if it is
   */
  record Decided(ClaimRequest request, StoredResponse response) {}

  /** What came of keeping one of them. */
  sealed interface Keeping {

    /** Its record is written, with its answer. */
    record Kept(Ownership own, CompletedResponse response) implements Keeping {}

    /** Something stands under its key, and nothing was written for it. */
    record Barred(Claim claim) implements Keeping {}
  }

  /**
   * What can be said about a key without asking the database; empty where it must be asked. Called
   * by each request for itself.
   */
  Optional<Claim> glance(ClaimRequest request);

  /**
   * What stands under keys. Claims nothing, locks nothing.
   *
   * @return nothing for a key that is as new, nor for one whose owner's lease ended
   */
  Map<ClaimRequest, Claim> look(List<ClaimRequest> requests);

  /**
   * Writes records that are complete from the first, in the caller's transaction, without waiting
   * for anybody.
   *
   * @param decided each under another key
   * @return what came of each, in their order
   */
  List<Keeping> keep(List<Decided> decided);
}
