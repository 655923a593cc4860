package io.onceflow.idempotency;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.TransactionManager;
import jakarta.ws.rs.core.Response;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs a guarded method in one transaction with its claim and its stored answer (rule 1), or
 * answers in its place.
 */
@ApplicationScoped
class Guard {

  private final IdempotencyConfig config;
  private final DataSource database;
  private final IdempotencyTable records;
  private final TransactionManager transactions;
  private final ResponseRenderer renderer;
  private final GuardMetrics metrics;

  Guard(
      IdempotencyConfig config,
      DataSource database,
      IdempotencyTable records,
      TransactionManager transactions,
      ResponseRenderer renderer,
      GuardMetrics metrics) {
    this.config = config;
    this.database = database;
    this.records = records;
    this.transactions = transactions;
    this.renderer = renderer;
    this.metrics = metrics;
  }

  Response answer(String scope, GuardedRequest request, GuardedMethod method) throws Exception {
    transactions.begin();
    try {
      return switch (claim(scope, request)) {
        case Claim.Won() -> run(scope, request, method);
        case Claim.Done(StoredResponse response) -> replay(response);
        case Claim.Reused() -> reused(request);
        case Claim.InProgress() -> inProgress(request);
      };
    } finally {
      if (transactions.getStatus() != Status.STATUS_NO_TRANSACTION) {
        transactions.rollback();
      }
    }
  }

  private Claim claim(String scope, GuardedRequest request) {
    try (Connection connection = database.getConnection()) {
      return records.claim(
          connection, scope, request.key(), request.fingerprint(), config.retention());
    } catch (SQLException e) {
      throw new IdempotencyUnusable(request.key(), e);
    }
  }

  private Response run(String scope, GuardedRequest request, GuardedMethod method)
      throws Exception {
    StoredResponse response = renderer.render(call(method), method.produces());
    if (response.isKept()) {
      keep(scope, request.key(), response);
      metrics.executed();
    } else {
      metrics.released();
    }
    return response.first();
  }

  private void keep(String scope, IdempotencyKey key, StoredResponse response)
      throws SystemException {
    try (Connection connection = database.getConnection()) {
      records.complete(connection, scope, key, response);
    } catch (SQLException e) {
      throw new IdempotencyUnusable(key, e);
    }
    try {
      transactions.commit();
    } catch (RollbackException | HeuristicMixedException | HeuristicRollbackException e) {
      throw new IdempotencyUnusable(key, e);
    }
  }

  private @Nullable Response call(GuardedMethod method) throws Exception {
    try {
      return method.call().call();
    } catch (Exception failure) {
      metrics.released();
      throw failure;
    }
  }

  private Response replay(StoredResponse response) {
    metrics.replayed();
    return response.replayed();
  }

  private Response reused(GuardedRequest request) {
    metrics.reused();
    return Problem.response(
        ProblemType.IDEMPOTENCY_KEY_REUSED,
        "Key %s was first used for a request with another method, path, query or body; use a fresh key."
            .formatted(request.key()),
        request.path());
  }

  private Response inProgress(GuardedRequest request) {
    metrics.rejectedInFlight();
    long seconds = Math.max(1, config.retryAfter().toSeconds());
    return Problem.response(
        ProblemType.REQUEST_IN_PROGRESS,
        "A request under key %s has not ended; repeat the same request in %d s."
            .formatted(request.key(), seconds),
        request.path(),
        seconds);
  }
}
