package io.onceflow.idempotency.internal.execution;

import io.onceflow.idempotency.internal.request.InFlightRequest;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.CompletedResponse;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.internal.store.IdempotencyUnusable;
import io.onceflow.idempotency.internal.store.LeaseLost;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.idempotency.internal.store.StoredResponse;
import jakarta.enterprise.context.ApplicationScoped;
import org.jboss.logging.Logger;

/** The steps of a run in every mode: claim, complete, release. */
@ApplicationScoped
public class ClaimKeeper {

  private static final Logger LOG = Logger.getLogger(ClaimKeeper.class);

  private final IdempotencyStore store;
  private final JtaTransaction transaction;
  private final GuardMetrics metrics;

  ClaimKeeper(IdempotencyStore store, JtaTransaction transaction, GuardMetrics metrics) {
    this.store = store;
    this.transaction = transaction;
    this.metrics = metrics;
  }

  /** Asks the store, and passes the result to the equal requests that wait for it. */
  Claim claim(ClaimRequest request, InFlightRequest inFlight) {
    try {
      Claim claim = store.claim(request);
      if (claim instanceof Claim.Won(Ownership own) && own.isTakenOver()) {
        countTakeOver(own);
      }
      inFlight.found(claim);
      return claim;
    } catch (RuntimeException e) {
      inFlight.failed(e);
      throw e;
    }
  }

  /** Counts and logs that the work of another owner is repeated. */
  void countTakeOver(Ownership own) {
    metrics.count(own.operation(), RequestOutcome.TAKEN_OVER);
    LOG.infof("%s is taken over: its lease expired", own);
  }

  /**
   * Stores the answer in the open transaction and commits both.
   *
   * @throws LeaseLost if another request has taken the claim over
   * @throws IdempotencyUnusable if the transaction has ended before, or cannot commit
   */
  void keepAndCommit(Ownership own, StoredResponse response) {
    transaction.requireActive(own.key());
    CompletedResponse kept = store.complete(own, response);
    transaction.commit(own.key());
    committed(own, kept);
  }

  /** Tells the store that the answer is committed. */
  void committed(Ownership own, CompletedResponse kept) {
    try {
      store.committed(own, kept);
    } catch (RuntimeException e) {
      // The work is done and answered; a repeat is slower, or with Redis alone runs again.
      LOG.errorf(e, "%s: its answer could not be passed to the store after the commit", own);
    }
  }

  /** Stores an answer in its own transaction, without business writes. */
  void keepAlone(Ownership own, StoredResponse response) {
    transaction.begin();
    try {
      keepAndCommit(own, response);
    } finally {
      transaction.rollBackIfOpen();
    }
  }

  /**
   * Stores a refusal after the run was rolled back with its claim.
   *
   * @return false if another request has claimed the key meanwhile: its claim counts
   */
  boolean keepRefusal(ClaimRequest request, StoredResponse response) {
    transaction.begin();
    try {
      if (store.claim(request) instanceof Claim.Won(Ownership own)) {
        keepOrRelease(own, response);
        return true;
      }
      return false;
    } finally {
      transaction.rollBackIfOpen();
    }
  }

  private void keepOrRelease(Ownership own, StoredResponse response) {
    boolean isKept = false;
    try {
      keepAndCommit(own, response);
      isKept = true;
    } finally {
      if (!isKept) {
        transaction.rollBackIfOpen();
        release(own);
      }
    }
  }

  /**
   * Ends the lease, so that the same request, or else the recovery sweep, takes the work over at
   * once; if the store cannot be reached, they do when it has expired.
   */
  void handOver(Ownership own) {
    try {
      store.handOver(own);
    } catch (RuntimeException e) {
      LOG.warnf(
          "%s could not be released for another process (%s); its work is taken over when its lease ends, in at most %s",
          own, e.getMessage(), own.request().lease());
    }
  }

  /** Releases the key; if the store cannot be reached, the claim ends with its lease. */
  public void release(Ownership own) {
    try {
      store.release(own);
    } catch (RuntimeException e) {
      LOG.warnf(
          "%s could not be released (%s); it is free when its lease ends, in at most %s",
          own, e.getMessage(), own.request().lease());
    }
  }
}
