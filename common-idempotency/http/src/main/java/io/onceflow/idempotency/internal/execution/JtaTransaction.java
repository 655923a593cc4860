package io.onceflow.idempotency.internal.execution;

import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.internal.store.IdempotencyUnusable;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.TransactionManager;
import org.jboss.logging.Logger;

/** The JTA transaction of the guard's own making. */
@ApplicationScoped
class JtaTransaction {

  private static final Logger LOG = Logger.getLogger(JtaTransaction.class);

  private final TransactionManager transactions;

  JtaTransaction(TransactionManager transactions) {
    this.transactions = transactions;
  }

  /** What is done in it; an exception rolls it back. */
  @FunctionalInterface
  interface Work<T> {
    T run() throws Exception;
  }

  /**
   * Begins one.
   *
   * @throws IllegalStateException when one is open on this thread already; it is left as it is
   */
  void begin() {
    try {
      transactions.begin();
    } catch (NotSupportedException | SystemException e) {
      throw new IllegalStateException(
          "the guard begins and ends its transactions itself, and found one open: "
              + e.getMessage(),
          e);
    }
  }

  /** Whether one is open on this thread, be it the guard's or another's. */
  boolean isOpen() {
    return status() != Status.STATUS_NO_TRANSACTION;
  }

  /**
   * Makes sure that there still is a transaction in which to keep an answer: one that takes too
   * long is rolled back behind its method's back, and not every store would notice. A method that
   * ended it by itself is let pass, since what it wrote stands, and so should its answer; the
   * commit will complain.
   *
   * @throws IdempotencyUnusable when it was rolled back, or can only be
   */
  void requireActive(ScopedKey key) {
    int status = status();
    if (status != Status.STATUS_ACTIVE && status != Status.STATUS_NO_TRANSACTION) {
      throw new IdempotencyUnusable(
          key,
          new RollbackException(
              "its transaction took longer than its timeout, or was marked for rollback; status "
                  + status));
    }
  }

  /**
   * Commits it.
   *
   * @throws IdempotencyUnusable when it could not commit
   */
  void commit(ScopedKey key) {
    try {
      transactions.commit();
    } catch (RollbackException
        | HeuristicMixedException
        | HeuristicRollbackException
        | SystemException e) {
      throw new IdempotencyUnusable(key, e);
    }
  }

  /**
   * Rolls back whatever is still open. Throws nothing, since it is called where something was
   * thrown that its caller must see; and leaves the thread without a transaction, since the next
   * request on it has nothing to do with this one's.
   */
  void rollBackIfOpen() {
    try {
      if (isOpen()) {
        transactions.rollback();
      }
    } catch (SystemException | RuntimeException e) {
      LOG.error("a transaction could not be rolled back; its connection is given up", e);
      leave();
    }
  }

  private void leave() {
    try {
      transactions.suspend();
    } catch (SystemException | RuntimeException e) {
      LOG.error("a transaction could not be left", e);
    }
  }

  private int status() {
    try {
      return transactions.getStatus();
    } catch (SystemException e) {
      throw new IllegalStateException("the transaction's status could not be read", e);
    }
  }

  /** Begins one, does the work in it, and commits it unless the work throws. */
  <T> T call(ScopedKey key, Work<T> work) throws Exception {
    begin();
    try {
      T result = work.run();
      commit(key);
      return result;
    } finally {
      rollBackIfOpen();
    }
  }
}
