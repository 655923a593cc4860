package io.onceflow.idempotency.internal.store;

import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.internal.policy.IdempotencyConfig;
import io.onceflow.idempotency.internal.store.IdempotencyRecordTable.Insertion;
import io.onceflow.idempotency.internal.store.IdempotencyRecordTable.RecordRow;
import io.onceflow.internal.database.DatabaseTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Typed;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Stores claims and answers in the database of the business rows, in one commit with them.
 *
 * <p>Within a JTA transaction the application's data source returns that transaction's connection;
 * otherwise each statement commits alone. So a transactional claim joins the writes of its method,
 * and a leased one does not.
 */
@ApplicationScoped
@Typed(PostgresStore.class)
public class PostgresStore implements IdempotencyStore {

  /** An expired row is deleted and claimed again; more rounds indicate a fault. */
  private static final int MOST_ROUNDS = 3;

  private final DataSource database;
  private final IdempotencyRecordTable records;
  private final LeaseTable leases;
  private final SharedRecords shared;

  @SuppressWarnings("this-escape") // the reference is only stored in the constructor
  public PostgresStore(
      DataSource database,
      IdempotencyRecordTable records,
      LeaseTable leases,
      IdempotencyConfig config) {
    this.database = database;
    this.records = records;
    this.leases = leases;
    this.shared = new PostgresSharedRecords(database, this, config.shared().lookWithin());
  }

  @Override
  public Claim claim(ClaimRequest request) {
    return call(request.key(), connection -> claim(connection, request));
  }

  @Override
  public void fence(Ownership own) {
    if (own.request().isLeased() && !call(own.key(), c -> leases.fence(c, own))) {
      throw new LeaseLost(own);
    }
  }

  @Override
  public CompletedResponse complete(Ownership own, StoredResponse response) {
    return call(own.key(), connection -> records.complete(connection, own, response))
        .map(expiresAt -> new CompletedResponse(response, own.token(), expiresAt))
        .orElseThrow(() -> new LeaseLost(own));
  }

  /** There is no cache. */
  @Override
  public void committed(Ownership own, CompletedResponse kept) {}

  /** A transactional claim is rolled back with its transaction. */
  @Override
  public void release(Ownership own) {
    if (own.request().isLeased()) {
      call(own.key(), connection -> leases.release(connection, own));
    }
  }

  @Override
  public void accept(Ownership own) {
    call(own.key(), connection -> leases.accept(connection, own));
  }

  @Override
  public Set<Ownership> renew(Collection<Ownership> owned) {
    List<Ownership> leased = owned.stream().filter(own -> own.request().isLeased()).toList();
    if (leased.isEmpty()) {
      return Set.of();
    }
    return call(leased.getFirst().key(), connection -> leases.renew(connection, leased));
  }

  @Override
  public void handOver(Ownership own) {
    call(own.key(), connection -> leases.handOver(connection, own));
  }

  @Override
  public Optional<KeyState> find(ScopedKey key) {
    return call(
        key,
        connection -> {
          Optional<KeyState> found =
              records
                  .find(connection, key)
                  .map(
                      row ->
                          new KeyState(
                              row.fingerprint(), row.response(), row.createdAt(), row.expiresAt()));
          return found.isPresent() || !records.isClaimed(connection, key)
              ? found
              : Optional.of(KeyState.unseen());
        });
  }

  @Override
  public List<ClaimTakenOver> takeOverAbandoned(
      Set<String> operations, Duration grace, Duration lease, int limit) {
    try (Connection connection = database.getConnection()) {
      return leases.takeOverAbandoned(connection, operations, grace, lease, limit);
    } catch (SQLException e) {
      throw new IdempotencyUnusable(e);
    }
  }

  @Override
  public Optional<SharedRecords> shared() {
    return Optional.of(shared);
  }

  private Claim claim(Connection connection, ClaimRequest request) throws SQLException {
    for (int round = 0; round < MOST_ROUNDS; round++) {
      Insertion insertion = records.insert(connection, request);
      if (insertion instanceof Insertion.Inserted(long token)) {
        return new Claim.Won(new Ownership(request, token, false));
      }
      Optional<RecordRow> row = records.find(connection, request.key());
      boolean isOursToTry = insertion instanceof Insertion.Exists;
      if (row.isPresent()) {
        Claim found = claimFor(row.get(), request);
        if (!isOursToTry || !row.get().isAbandoned() || !(found instanceof Claim.InProgress)) {
          return found;
        }
        Optional<Long> token = records.takeOver(connection, request, row.get().token());
        if (token.isPresent()) {
          return new Claim.Won(new Ownership(request, token.get(), true));
        }
      } else if (isOursToTry) {
        records.forget(connection, request.key());
      } else {
        return Claim.InProgress.unseen();
      }
    }
    return Claim.InProgress.unseen();
  }

  static Claim claimFor(RecordRow row, ClaimRequest request) {
    if (!row.fingerprint().equals(request.fingerprint())) {
      return new Claim.Reused();
    }
    if (row.response() == null) {
      return new Claim.InProgress(row.age(), row.leaseLeft(), row.isAccepted());
    }
    return new Claim.Done(new CompletedResponse(row.response(), row.token(), row.expiresAt()));
  }

  private <T> T call(ScopedKey key, DatabaseTransaction.Work<T> work) {
    try (Connection connection = database.getConnection()) {
      return work.on(connection);
    } catch (SQLException e) {
      throw new IdempotencyUnusable(key, e);
    }
  }
}
