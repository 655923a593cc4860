package io.onceflow.idempotency;

import io.onceflow.core.IdempotencyKey;
import jakarta.ws.rs.core.Response;
import java.util.concurrent.Callable;

/**
 * Decides about a claim whose process died, or whose run failed after {@link Lease#write} or a 202,
 * by reading the business state. Optional, one bean for each operation; without it such a claim is
 * released, and the client's repeat runs as if it were the first.
 */
public interface AbandonedClaimResolver {

  /** The {@link Idempotent#operation} that it decides about. */
  String operation();

  /**
   * Decides on one claim. Called outside of any transaction; throwing leaves the claim for the next
   * sweep.
   */
  Resolution resolve(AbandonedClaim claim) throws Exception;

  /** The decision. */
  sealed interface Resolution {

    /** The work was done: this makes its answer, in a transaction with the missing writes. */
    record Complete(Callable<Response> answer) implements Resolution {}

    /** The work was not done, or may be done again: the key becomes free. */
    record Release() implements Resolution {}

    /** The work was started: it is continued in the background. */
    record Resume(Lease.Work work) implements Resolution {}
  }

  /**
   * A claim whose owner died, taken over by the recovery sweep.
   *
   * @param scope whose key it is
   * @param key the claimed key
   * @param fingerprint of the request, as {@link Lease#fingerprint}
   * @param isAccepted true if the caller was answered 202 and expects the work to be done
   */
  record AbandonedClaim(String scope, IdempotencyKey key, String fingerprint, boolean isAccepted) {}
}
