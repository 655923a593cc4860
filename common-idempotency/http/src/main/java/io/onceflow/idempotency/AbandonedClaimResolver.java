package io.onceflow.idempotency;

import jakarta.ws.rs.core.Response;
import java.util.concurrent.Callable;

/**
 * Says what became of work whose owner died, by looking at the business state. A bean for each
 * operation that wants one; without it an abandoned claim is released, and the client's repeat runs
 * as if it were the first.
 */
public interface AbandonedClaimResolver {

  /** The {@link Idempotent#operation} that it knows about. */
  String operation();

  /**
   * Decides on one claim. Called outside of any transaction; throwing leaves the claim for the next
   * sweep.
   */
  Resolution resolve(AbandonedClaim claim) throws Exception;

  /** What is to be done. */
  sealed interface Resolution {

    /** The work was done: this is its answer, written in a transaction with what is missing. */
    record Complete(Callable<Response> answer) implements Resolution {}

    /** The work was not done, or may safely be done again: the key is free. */
    record Release() implements Resolution {}

    /** The work was begun: it goes on from where it stopped, in the background. */
    record Resume(Lease.Work work) implements Resolution {}
  }
}
