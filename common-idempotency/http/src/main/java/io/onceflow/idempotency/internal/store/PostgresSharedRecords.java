package io.onceflow.idempotency.internal.store;

import io.onceflow.idempotency.internal.store.IdempotencyRecordTable.Insertion;
import io.onceflow.idempotency.internal.store.IdempotencyRecordTable.RecordRow;
import io.onceflow.idempotency.internal.store.SharedTable.InsertedRow;
import io.onceflow.internal.database.SocketDeadline;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** The records of many requests in one commit, in the database of the business rows. */
final class PostgresSharedRecords implements SharedRecords {

  private final DataSource database;
  private final PostgresStore single;
  private final Duration lookWithin;

  /**
   * @param lookWithin the socket timeout of a look-up
   */
  PostgresSharedRecords(DataSource database, PostgresStore single, Duration lookWithin) {
    this.lookWithin = lookWithin;
    this.database = database;
    this.single = single;
  }

  /** There is no cache. */
  @Override
  public Optional<Claim> findCached(ClaimRequest request) {
    return Optional.empty();
  }

  @Override
  public Map<ClaimRequest, Claim> find(List<ClaimRequest> requests) {
    try (Connection connection = database.getConnection()) {
      SocketDeadline deadline = SocketDeadline.of(connection, lookWithin);
      try (deadline) {
        return find(connection, requests);
      }
    } catch (SQLException e) {
      throw new IdempotencyUnusable(e);
    }
  }

  private Map<ClaimRequest, Claim> find(Connection connection, List<ClaimRequest> requests)
      throws SQLException {
    Map<ClaimRequest, Claim> claims = new HashMap<>();
    SharedTable.find(connection, requests.stream().map(ClaimRequest::key).toList())
        .forEach((place, row) -> find(row, requests.get(place), claims));
    return claims;
  }

  private static void find(RecordRow row, ClaimRequest request, Map<ClaimRequest, Claim> claims) {
    Claim found = PostgresStore.claimFor(row, request);
    if (!isToBeTakenOver(row, found)) {
      claims.put(request, found);
    }
  }

  private static boolean isToBeTakenOver(RecordRow row, Claim found) {
    return row.isAbandoned() && found instanceof Claim.InProgress;
  }

  @Override
  public List<WriteResult> write(List<Decided> decided) {
    try (Connection connection = database.getConnection()) {
      return write(connection, decided);
    } catch (SQLException e) {
      throw new IdempotencyUnusable(e);
    }
  }

  private List<WriteResult> write(Connection connection, List<Decided> decided)
      throws SQLException {
    List<InsertedRow> made = SharedTable.insert(connection, decided);
    List<Integer> conflicts =
        IntStream.range(0, made.size())
            .filter(i -> !(made.get(i).insertion() instanceof Insertion.Inserted))
            .boxed()
            .toList();
    Map<Integer, RecordRow> found =
        SharedTable.find(
            connection, conflicts.stream().map(i -> decided.get(i).request().key()).toList());
    List<WriteResult> results = new ArrayList<>(decided.size());
    for (int i = 0, b = 0; i < made.size(); i++) {
      results.add(
          made.get(i).insertion() instanceof Insertion.Inserted(long token)
              ? written(decided.get(i), token, made.get(i))
              : conflict(
                  decided.get(i), made.get(i).insertion(), Optional.ofNullable(found.get(b++))));
    }
    return results;
  }

  private static WriteResult written(Decided decided, long token, InsertedRow made) {
    return new WriteResult.Written(
        new Ownership(decided.request(), token, false),
        new CompletedResponse(decided.response(), token, made.expiresAt()));
  }

  /** Expired rows and expired leases are rare, so each is claimed alone. */
  private WriteResult conflict(Decided decided, Insertion insertion, Optional<RecordRow> row) {
    boolean isOursToTry = insertion instanceof Insertion.Exists;
    if (row.isEmpty()) {
      return isOursToTry
          ? writeAlone(decided)
          : new WriteResult.Conflict(Claim.InProgress.unseen());
    }
    Claim found = PostgresStore.claimFor(row.get(), decided.request());
    return isOursToTry && isToBeTakenOver(row.get(), found)
        ? writeAlone(decided)
        : new WriteResult.Conflict(found);
  }

  private WriteResult writeAlone(Decided decided) {
    return switch (single.claim(decided.request())) {
      case Claim.Won(Ownership own) ->
          new WriteResult.Written(own, single.complete(own, decided.response()));
      case Claim found -> new WriteResult.Conflict(found);
    };
  }
}
