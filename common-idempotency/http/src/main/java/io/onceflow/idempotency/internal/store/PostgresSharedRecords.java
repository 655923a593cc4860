package io.onceflow.idempotency.internal.store;

import io.onceflow.idempotency.internal.store.IdempotencyRecordTable.Insertion;
import io.onceflow.idempotency.internal.store.IdempotencyRecordTable.RecordRow;
import io.onceflow.idempotency.internal.store.SharedTable.Made;
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
  private final SharedTable table;
  private final PostgresStore single;
  private final Duration lookWithin;

  /**
   * @param lookWithin the socket timeout of a look-up
   */
  PostgresSharedRecords(
      DataSource database, SharedTable table, PostgresStore single, Duration lookWithin) {
    this.lookWithin = lookWithin;
    this.database = database;
    this.table = table;
    this.single = single;
  }

  /** There is no cache. */
  @Override
  public Optional<Claim> lookInCache(ClaimRequest request) {
    return Optional.empty();
  }

  @Override
  public Map<ClaimRequest, Claim> look(List<ClaimRequest> requests) {
    try (Connection connection = database.getConnection()) {
      SocketDeadline deadline = SocketDeadline.of(connection, lookWithin);
      try (deadline) {
        return look(connection, requests);
      }
    } catch (SQLException e) {
      throw new IdempotencyUnusable(e);
    }
  }

  private Map<ClaimRequest, Claim> look(Connection connection, List<ClaimRequest> requests)
      throws SQLException {
    Map<ClaimRequest, Claim> claims = new HashMap<>();
    table
        .look(connection, requests.stream().map(ClaimRequest::key).toList())
        .forEach((place, row) -> look(row, requests.get(place), claims));
    return claims;
  }

  private static void look(RecordRow row, ClaimRequest request, Map<ClaimRequest, Claim> claims) {
    Claim found = PostgresStore.look(row, request);
    if (!isToBeTakenOver(row, found)) {
      claims.put(request, found);
    }
  }

  private static boolean isToBeTakenOver(RecordRow row, Claim found) {
    return row.isAbandoned() && found instanceof Claim.InProgress;
  }

  @Override
  public List<Keeping> keep(List<Decided> decided) {
    try (Connection connection = database.getConnection()) {
      return keep(connection, decided);
    } catch (SQLException e) {
      throw new IdempotencyUnusable(e);
    }
  }

  private List<Keeping> keep(Connection connection, List<Decided> decided) throws SQLException {
    List<Made> made = table.insert(connection, decided);
    List<Integer> barred =
        IntStream.range(0, made.size())
            .filter(i -> !(made.get(i).insertion() instanceof Insertion.Made))
            .boxed()
            .toList();
    Map<Integer, RecordRow> found =
        table.look(connection, barred.stream().map(i -> decided.get(i).request().key()).toList());
    List<Keeping> keepings = new ArrayList<>(decided.size());
    for (int i = 0, b = 0; i < made.size(); i++) {
      keepings.add(
          made.get(i).insertion() instanceof Insertion.Made(long token)
              ? kept(decided.get(i), token, made.get(i))
              : barred(
                  decided.get(i), made.get(i).insertion(), Optional.ofNullable(found.get(b++))));
    }
    return keepings;
  }

  private static Keeping kept(Decided decided, long token, Made made) {
    return new Keeping.Kept(
        new Ownership(decided.request(), token, false),
        new CompletedResponse(decided.response(), token, made.expiresAt()));
  }

  /** Expired rows and expired leases are rare, so each is claimed alone. */
  private Keeping barred(Decided decided, Insertion insertion, Optional<RecordRow> row) {
    boolean isOursToTry = insertion instanceof Insertion.Taken;
    if (row.isEmpty()) {
      return isOursToTry ? keepAlone(decided) : new Keeping.Barred(Claim.InProgress.unseen());
    }
    Claim found = PostgresStore.look(row.get(), decided.request());
    return isOursToTry && isToBeTakenOver(row.get(), found)
        ? keepAlone(decided)
        : new Keeping.Barred(found);
  }

  private Keeping keepAlone(Decided decided) {
    return switch (single.claim(decided.request())) {
      case Claim.Won(Ownership own) ->
          new Keeping.Kept(own, single.complete(own, decided.response()));
      case Claim barred -> new Keeping.Barred(barred);
    };
  }
}
