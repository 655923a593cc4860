package io.onceflow.order.imports;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.idempotency.AbandonedClaimResolver;
import io.onceflow.idempotency.AbandonedClaimResolver.AbandonedClaim;
import io.onceflow.idempotency.CallerLimits;
import io.onceflow.idempotency.Lease;
import io.onceflow.order.domain.Order;
import io.onceflow.order.domain.OrderDraft;
import io.onceflow.order.saga.OrderSagas;
import io.onceflow.order.saga.OrderSagas.NewOrder;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.Transactions;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Places many orders under one key. Each batch commits in a fenced transaction: orders, sagas,
 * outbox rows and the import's progress. So the process that takes over, after a crash or a lost
 * lease, finds what is placed and continues with the rest, and two who both believe to be at it
 * cannot both place an order.
 */
@ApplicationScoped
public class OrderImports implements AbandonedClaimResolver {

  /** The guarded operation, by which an abandoned claim finds its way back here. */
  public static final String OPERATION = "import-orders";

  private final Transactions transactions;
  private final OrderSagas sagas;
  private final ImportLineTable lines;
  private final ImportConfig config;
  private final CallerLimits shares;
  private final Clock clock;

  OrderImports(
      Transactions transactions,
      OrderSagas sagas,
      ObjectMapper json,
      ImportConfig config,
      CallerLimits shares,
      Clock clock) {
    this.transactions = transactions;
    this.sagas = sagas;
    this.lines = new ImportLineTable(json);
    this.config = config;
    this.shares = shares;
    this.clock = clock;
  }

  /**
   * Stores what is to be placed, before the client is told that it will be; or finds it stored by
   * an earlier run of the same request.
   *
   * @return the import's id, to continue with
   */
  public UUID begin(Lease lease, List<OrderDraft> drafts, String traceparent) throws Exception {
    return lease.write(
        () -> transactions.join(tx -> beginOrGoOn(tx.connection(), lease, drafts, traceparent)));
  }

  /** Refuses too many imports at once; an import costs what its orders would cost one by one. */
  public Optional<Response> overQuota(String customer, int orders, String path)
      throws SQLException {
    int running = transactions.call(tx -> ImportTable.running(tx.connection(), customer));
    return running >= config.mostUnderWay()
        ? Optional.of(shares.tooMany("imports", config.mostUnderWay(), path))
        : shares.charge(customer, orders - 1, path);
  }

  /** Places what is not placed yet, and ends with the answer that is kept under the key. */
  public void run(Lease lease, UUID id) throws Exception {
    int placed;
    do {
      if (Thread.interrupted()) {
        throw new InterruptedException("import " + id + " stops between two batches");
      }
      shares.awaitRoom(lease.scope(), config.batchSize());
      placed = lease.write(() -> transactions.join(tx -> placeNext(tx, lease, id)));
    } while (placed == config.batchSize());
    lease.complete(() -> transactions.join(tx -> complete(tx.connection(), lease.scope(), id)));
  }

  /** An import with its orders, if it is this customer's; another's is as good as none. */
  public Optional<OrderImport> own(String customer, UUID id) throws SQLException {
    return transactions.call(tx -> shown(tx.connection(), customer, id));
  }

  /**
   * A customer's imports, newest first, without their orders.
   *
   * @param before the last id of the page before; null for the first page
   */
  public List<OrderImport> newest(String customer, @Nullable UUID before, int limit)
      throws SQLException {
    return transactions.call(tx -> ImportTable.newest(tx.connection(), customer, before, limit));
  }

  @Override
  public String operation() {
    return OPERATION;
  }

  /**
   * Continues with an import whose process died; the client need not ask again. What was not stored
   * was not promised either, so its key may be free.
   */
  @Override
  public Resolution resolve(AbandonedClaim claim) throws SQLException {
    return transactions
        .call(tx -> ImportTable.lockRunning(tx.connection(), claim.scope(), claim.key()))
        .filter(it -> it.fingerprint().equals(claim.fingerprint()))
        .<Resolution>map(it -> new Resolution.Resume(lease -> run(lease, it.id())))
        .orElseGet(Resolution.Release::new);
  }

  private UUID beginOrGoOn(
      Connection connection, Lease lease, List<OrderDraft> drafts, String traceparent)
      throws SQLException {
    Optional<RunningImport> running =
        ImportTable.lockRunning(connection, lease.scope(), lease.key());
    if (running.isPresent()) {
      if (running.get().fingerprint().equals(lease.fingerprint())) {
        return running.get().id();
      }
      // Its key was free, or this request would have been answered 422: no process continues it.
      ImportTable.end(
          connection, running.get().id(), OrderImport.Status.ABANDONED, clock.instant());
    }
    RunningImport begun =
        new RunningImport(OutboxMessage.newId(), lease.scope(), lease.fingerprint(), traceparent);
    ImportTable.insert(connection, begun, lease.key(), drafts.size(), clock.instant());
    lines.insert(connection, begun.id(), drafts);
    return begun.id();
  }

  /** Places the next batch; returns how many orders that were, fewer than a batch at the end. */
  private int placeNext(Transaction tx, Lease lease, UUID id) throws SQLException {
    RunningImport running =
        ImportTable.lockRunning(tx.connection(), lease.scope(), lease.key())
            .filter(it -> it.id().equals(id))
            .orElseThrow(() -> new IllegalStateException("import " + id + " does not run"));
    List<ImportLineTable.Line> waiting = lines.waiting(tx.connection(), id, config.batchSize());
    if (!waiting.isEmpty()) {
      place(tx, running, waiting);
    }
    return waiting.size();
  }

  private void place(Transaction tx, RunningImport running, List<ImportLineTable.Line> waiting)
      throws SQLException {
    Instant now = clock.instant();
    List<NewOrder> orders = new ArrayList<>();
    Map<Integer, UUID> ids = new LinkedHashMap<>();
    for (ImportLineTable.Line line : waiting) {
      Order order = line.draft().place(OutboxMessage.newId(), running.customer(), now);
      orders.add(new NewOrder(order, running.rootKey(line.position()), running.traceparent()));
      ids.put(line.position(), order.id());
    }
    sagas.place(tx, orders);
    lines.placed(tx.connection(), running.id(), ids);
    ImportTable.advance(tx.connection(), running.id(), ids.size());
  }

  private Response complete(Connection connection, String customer, UUID id) throws SQLException {
    ImportTable.end(connection, id, OrderImport.Status.COMPLETED, clock.instant());
    OrderImport done =
        shown(connection, customer, id)
            .orElseThrow(() -> new IllegalStateException("import " + id + " is gone"));
    return Response.status(Response.Status.CREATED)
        .header(HttpHeaders.LOCATION, "/order-imports/" + id)
        .entity(done)
        .build();
  }

  private Optional<OrderImport> shown(Connection connection, String customer, UUID id)
      throws SQLException {
    Optional<OrderImport> found = ImportTable.own(connection, customer, id);
    return found.isEmpty() ? found : Optional.of(found.get().with(lines.orders(connection, id)));
  }
}
