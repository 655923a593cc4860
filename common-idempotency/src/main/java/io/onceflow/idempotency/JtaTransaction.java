package io.onceflow.idempotency;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.TransactionManager;

/** The JTA transaction of the guard's own making. */
@ApplicationScoped
class JtaTransaction {

  private final TransactionManager transactions;

  JtaTransaction(TransactionManager transactions) {
    this.transactions = transactions;
  }

  /** What is done in it; whoever throws rolls it back. */
  @FunctionalInterface
  interface Work<T> {
    T run() throws Exception;
  }

  /** Begins one. */
  void begin() {
    try {
      transactions.begin();
    } catch (NotSupportedException | SystemException e) {
      throw new IllegalStateException(
          "a guarded method must not be called within a transaction: " + e.getMessage(), e);
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

  /** Rolls back whatever is still open. */
  void rollBackIfOpen() {
    try {
      if (transactions.getStatus() != Status.STATUS_NO_TRANSACTION) {
        transactions.rollback();
      }
    } catch (SystemException e) {
      throw new IllegalStateException("the transaction could not be rolled back", e);
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
