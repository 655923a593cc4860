package io.onceflow.saga.internal.repair;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.internal.TransactionalOutbox;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.outbox.internal.relay.RelaySignal;
import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.repair.Repair.Done;
import io.onceflow.saga.internal.repair.Repair.RepairedSaga;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.Shop;
import io.onceflow.saga.internal.store.view.OperatorAnswer;
import io.onceflow.sql.Sql;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Repairs of a shop's sagas on a real database, by as many processes as a test wants. */
final class RepairFixture {

  final Shop shop = new Shop(PlaceOrder.DEFINITION);
  final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  final List<UUID> asked = new ArrayList<>();
  final UnitOfWork unitOfWork = unitOfWork();
  final ObjectMapper json =
      new ObjectMapper()
          .registerModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS);
  private final RepairRows rows = new RepairRows(json);
  int approvalAbove;
  Duration movedOnWithin = Duration.ofMinutes(15);

  /** Makes the tables. */
  static void makeTables() {
    SagaDatabase.makeAnew("classpath:db/onceflow/inbox");
  }

  /** Empties the tables. */
  static void empty() throws SQLException {
    SagaDatabase.execute(
        """
        ALTER TABLE operator_audit DISABLE TRIGGER operator_audit_append_only;
        TRUNCATE operator_audit, saga_repair, saga_instance, saga_journal, test_order CASCADE;
        ALTER TABLE operator_audit ENABLE TRIGGER operator_audit_append_only
        """);
  }

  Repairs repairs() {
    return new Repairs(unitOfWork, json, config());
  }

  /** A process that runs. */
  RepairTurn replica() {
    return replica(() -> true);
  }

  /**
   * @param isRunning asked before each saga
   */
  RepairTurn replica(BooleanSupplier isRunning) {
    return replica(this::ask, isRunning);
  }

  RepairTurn replica(SagaRequests sagas, BooleanSupplier isRunning) {
    RepairLease lease = new RepairLease(UUID.randomUUID(), config().lease(), rows);
    return new RepairTurn(
        unitOfWork, lease, rows, sagas, config(), new RepairMetrics(meters), isRunning);
  }

  OperatorAnswer ask(Transaction tx, UUID saga, SagaEvent.Request request) throws SQLException {
    OperatorAnswer answer = shop.request(tx.connection(), saga, request);
    asked.add(saga);
    return answer;
  }

  static NewRepair retryOfRunning(int perSecond) {
    return of(RepairAction.RETRY, SagaStatus.RUNNING, perSecond);
  }

  static RepairFilter filter(SagaStatus status) {
    return filter(status, null);
  }

  static RepairFilter filter(SagaStatus status, @Nullable String step) {
    return new RepairFilter(
        status, null, null, step, null, null, null, null, null, null, null, null);
  }

  static NewRepair of(RepairAction action, SagaStatus status, int perSecond) {
    return new NewRepair(action, filter(status), "it is back", perSecond, false);
  }

  /** A second has passed, by the allowance of each repair. */
  static void passASecond() throws SQLException {
    SagaDatabase.execute("UPDATE saga_repair SET spent_until = spent_until - interval '1 s'");
  }

  /** Up to the moment of the last turn, which the lease tells. */
  static boolean hasUsedUpItsAllowance() throws SQLException {
    return SagaDatabase.inTransaction(
        tx ->
            Sql.query(
                    tx,
                    "SELECT spent_until >= lease_expires_at - interval '30 s' AS used FROM saga_repair",
                    row -> row.truth("used"))
                .getFirst());
  }

  /** As if the process that holds it had been gone for longer than its lease. */
  static void leaseRunsOut() throws SQLException {
    SagaDatabase.execute("UPDATE saga_repair SET lease_expires_at = now() - interval '1 s'");
  }

  /** Takes turns until the repair has chosen its sagas and acted on all of them. */
  void takeTurns(RepairTurn replica, UUID repair) throws SQLException {
    replica.take();
    while (done(repair).pending() > 0) {
      passASecond();
      replica.take();
    }
  }

  UUID start(NewRepair repair) throws SQLException {
    return repairs().start(repair, "olga").id();
  }

  Repair read(UUID repair) throws SQLException {
    return repairs().read(repair);
  }

  Done done(UUID repair) throws SQLException {
    return read(repair).done();
  }

  List<RepairedSaga> sagas(UUID repair, @Nullable RepairOutcome outcome) throws SQLException {
    return repairs().sagas(repair, outcome, null, 1_000);
  }

  static List<String> audited() throws SQLException {
    return SagaDatabase.inTransaction(
        tx ->
            Sql.query(
                tx,
                "SELECT actor || ' ' || action AS act FROM operator_audit ORDER BY seq",
                row -> row.text("act")));
  }

  RepairConfig config() {
    return new Config(approvalAbove, movedOnWithin);
  }

  private record Config(int above, Duration movedOnWithin) implements RepairConfig {

    @Override
    public SecondOperator secondOperator() {
      return () -> above;
    }

    @Override
    public Duration lease() {
      return Duration.ofSeconds(30);
    }

    @Override
    public Duration retention() {
      return Duration.ofDays(90);
    }
  }

  private static UnitOfWork unitOfWork() {
    RelaySignal signal = new RelaySignal();
    TransactionSynchronizationRegistry none =
        (TransactionSynchronizationRegistry)
            Proxy.newProxyInstance(
                RepairFixture.class.getClassLoader(),
                new Class<?>[] {TransactionSynchronizationRegistry.class},
                (proxy, method, arguments) -> Status.STATUS_NO_TRANSACTION);
    return new UnitOfWork(
        SagaDatabase.source(),
        new TransactionalOutbox(SagaDatabase.source(), new ObjectMapper(), none, signal));
  }
}
