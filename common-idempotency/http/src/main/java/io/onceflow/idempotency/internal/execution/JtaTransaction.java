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
import java.util.concurrent.Callable;
import org.jboss.logging.Logger;

/** The JTA transactions that the guard starts and ends. */
@ApplicationScoped
class JtaTransaction {

  private static final Logger LOG = Logger.getLogger(JtaTransaction.class);

  private final TransactionManager transactions;

  JtaTransaction(TransactionManager transactions) {
    this.transactions = transactions;
  }

  /**
   * Starts one.
   *
   * @throws IllegalStateException if one is open on this thread already; it stays open
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

  /** Whether a transaction is open on this thread. */
  boolean isOpen() {
    return status() != Status.STATUS_NO_TRANSACTION;
  }

  /**
   * Checks that the transaction is still active: the transaction manager rolls one back that takes
   * too long, and not every store would notice. If the method has ended the transaction itself,
   * this passes, since its writes are committed; the commit will fail.
   *
   * @throws IdempotencyUnusable if it was rolled back, or is marked for rollback
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
   * Rolls back an open transaction. Throws nothing, since it is called after an exception that the
   * caller must see. Afterwards the thread has no transaction, since it will run other requests.
   */
  void rollBackIfOpen() {
    try {
      if (isOpen()) {
        transactions.rollback();
      }
    } catch (SystemException | RuntimeException e) {
      LOG.error("a transaction could not be rolled back; its connection is abandoned", e);
      leave();
    }
  }

  private void leave() {
    try {
      transactions.suspend();
    } catch (SystemException | RuntimeException e) {
      LOG.error("a transaction could not be suspended", e);
    }
  }

  private int status() {
    try {
      return transactions.getStatus();
    } catch (SystemException e) {
      throw new IllegalStateException("the transaction's status could not be read", e);
    }
  }

  /** Starts one, does the work in it, and commits it unless the work throws. */
  <T> T call(ScopedKey key, Callable<T> work) throws Exception {
    begin();
    try {
      T result = work.call();
      commit(key);
      return result;
    } finally {
      rollBackIfOpen();
    }
  }
}
