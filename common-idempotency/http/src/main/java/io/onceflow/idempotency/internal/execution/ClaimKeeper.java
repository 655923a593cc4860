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

/** The steps that every run has in common: asking, keeping, giving up. */
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

  /** Asks the store, and lets those who follow know what it said. */
  Claim ask(ClaimRequest request, InFlightRequest flight) {
    try {
      Claim claim = store.claim(request);
      if (claim instanceof Claim.Won(Ownership own) && own.isTakenOver()) {
        countTakeOver(own);
      }
      flight.found(claim);
      return claim;
    } catch (RuntimeException e) {
      flight.failed(e);
      throw e;
    }
  }

  /** Tells that it is another's work that is done anew. */
  void countTakeOver(Ownership own) {
    metrics.count(own.request().operation(), RequestOutcome.TAKEN_OVER);
    LOG.infof("key %s (%s) is taken over: its lease ended", own.key(), own.request().operation());
  }

  /**
   * Stores the answer in the open transaction and commits both.
   *
   * @throws LeaseLost when the claim is another's by now
   * @throws IdempotencyUnusable when the transaction ended before, or could not commit
   */
  void keepAndCommit(Ownership own, StoredResponse response) {
    transaction.requireActive(own.key());
    CompletedResponse kept = store.complete(own, response);
    transaction.commit(own.key());
    committed(own, kept);
  }

  /** Hands on what is committed. */
  void committed(Ownership own, CompletedResponse kept) {
    try {
      store.committed(own, kept);
    } catch (RuntimeException e) {
      // The work is done and will be told; a repeat may find it slower, or with Redis alone not.
      LOG.errorf(
          e,
          "key %s (%s): its answer could not be handed on",
          own.key(),
          own.request().operation());
    }
  }

  /** Keeps an answer by itself: that of work which wrote nothing. */
  void keepAlone(Ownership own, StoredResponse response) {
    transaction.begin();
    try {
      keepAndCommit(own, response);
    } finally {
      transaction.rollBackIfOpen();
    }
  }

  /**
   * Keeps a refusal after whatever its run wrote was rolled back with its claim.
   *
   * @return false when another request had claimed the key meanwhile: its claim counts
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

  /** Frees the key; a store that is away frees it when the lease ends. */
  public void release(Ownership own) {
    try {
      store.release(own);
    } catch (RuntimeException e) {
      LOG.warnf(
          "key %s (%s) could not be released (%s); it is free when its lease ends, in at most %s",
          own.key(), own.request().operation(), e.getMessage(), own.request().lease());
    }
  }
}
