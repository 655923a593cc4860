package io.onceflow.saga.internal.repair;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.operators.SagaDetails;
import io.onceflow.saga.internal.operators.SagaFilterReader;
import io.onceflow.saga.internal.repair.Repair.Done;
import io.onceflow.saga.internal.repair.Repair.RepairedSaga;
import io.onceflow.saga.internal.store.CountedShop;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.Shop;
import io.onceflow.saga.internal.store.view.OperatorAnswer;
import io.onceflow.sql.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repairs of a shop's sagas on a real database, by as many processes as a test wants. */
final class RepairFixture {

  final Shop shop = new Shop(PlaceOrder.DEFINITION);
  final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  final List<UUID> asked = Collections.synchronizedList(new ArrayList<>());
  final UnitOfWork unitOfWork = CountedShop.unitOfWork(SagaDatabase.source());
  final ObjectMapper json =
      new ObjectMapper()
          .registerModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS);
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
  RepairTimer replica() {
    return replica(this::ask);
  }

  RepairTimer replica(RepairTimer.Requests sagas) {
    return new RepairTimer(unitOfWork, sagas, repairs(), new RepairMetrics(meters));
  }

  OperatorAnswer ask(Transaction tx, UUID saga, RepairMarks.Due due) throws SQLException {
    OperatorAnswer answer = shop.request(tx.connection(), saga, due.action().request(due.asked()));
    asked.add(saga);
    return answer;
  }

  static NewRepair retryOfRunning(int perSecond) {
    return of(SagaDetails.Kind.RETRY, SagaStatus.RUNNING, perSecond);
  }

  static NewRepair of(SagaDetails.Kind action, SagaStatus status, int perSecond) {
    return of(action, Map.of("status", status), perSecond);
  }

  static NewRepair of(SagaDetails.Kind action, Map<String, Object> filter, int perSecond) {
    return new NewRepair(action, filter, "it is back", null, perSecond, null, null, false);
  }

  /** A second has passed, by the allowance of each repair. */
  static void passASecond() throws SQLException {
    SagaDatabase.execute("UPDATE saga_repair SET spent_until = spent_until - interval '1 s'");
  }

  /** Takes turns until the repair has acted on all of its sagas. */
  void takeTurns(RepairTimer replica, UUID repair) throws SQLException {
    while (done(repair).pending() > 0) {
      passASecond();
      replica.turn();
    }
  }

  UUID start(NewRepair repair) throws SQLException {
    return start(repair, "olga").id();
  }

  Repair start(NewRepair repair, String by) throws SQLException {
    return repairs().start(repair, SagaFilterReader.read(repair.filter()), by);
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
    public Duration retention() {
      return Duration.ofDays(90);
    }
  }
}
