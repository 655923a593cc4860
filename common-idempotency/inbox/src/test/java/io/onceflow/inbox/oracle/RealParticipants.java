package io.onceflow.inbox.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.inbox.Charge;
import io.onceflow.inbox.ChargeRows;
import io.onceflow.inbox.Fixture;
import io.onceflow.inbox.Saga;
import io.onceflow.inbox.TestConfig;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.InboxTable;
import io.onceflow.inbox.internal.call.CallBackoff;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.parking.Parking;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.inbox.internal.participant.ParticipantDependencies;
import io.onceflow.outbox.OwnUnitOfWork;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.participant.internal.CompositeRepository;
import io.onceflow.participant.internal.HandlerMethods;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * Two participants of production on one PostgreSQL, to which the events of the specification
 * happen. A transaction is one event; the broker, the gateway and the clock by which commands
 * expire are the test's. A process dies by being dropped, and its message is delivered again.
 */
final class RealParticipants implements AutoCloseable {

  private static final TestDatabase DATABASE = TestDatabase.inSchema("oracle");

  private static final Instant EXPIRY = Instant.parse("2100-01-01T00:00:00Z");

  /**
   * No step waits before another attempt. A recovery takes one step of a type: it looks at a refund
   * that has to wait once.
   */
  private static final InboxConfig CONFIG =
      TestConfig.inbox(
          Map.of(
              "batch-size",
              1,
              "call-out.attempts",
              1000,
              "call-out.first-backoff",
              "PT0S",
              "call-out.longest-backoff",
              "PT0S"));

  private static final String VISIBLE =
      """
      SELECT   line
      FROM     (SELECT 1 AS place, step_key AS rank,
                       CASE WHEN step_key LIKE '%:take-money' THEN 'charge' ELSE 'refund' END
                         || ': ' || concat_ws(', ', status, 'token ' || fencing_token,
                              CASE WHEN status = 'STARTED' AND lease_expires_at > now()
                                   THEN 'leased' END,
                              CASE WHEN envelope IS NOT NULL THEN 'stored' END,
                              outcome ->> 'result') AS line
                FROM   inbox_message
                WHERE  scope = ?
                UNION ALL
                SELECT 2, '', 'books: ' || coalesce(max(status), 'NONE')
                FROM   charge
                WHERE  subject = ?
                UNION ALL
                SELECT 3, '', 'replies: [' || coalesce(string_agg(
                         CASE headers ->> 'x-saga-step'
                           WHEN 'take-money' THEN 'charge' ELSE 'refund' END
                           || ' ' || (headers ->> 'x-outcome'), ', ' ORDER BY id), '') || ']'
                FROM   outbox_message
                WHERE  correlation_id = ?) AS lines
      ORDER BY place, rank DESC
      """;

  private static final String END_LEASE =
      """
      UPDATE inbox_message
      SET    lease_expires_at = now() - interval '1 ms'
      WHERE  scope = ?
      AND    step_key = ?
      AND    status = 'STARTED'
      """;

  private static final String LATER =
      """
      UPDATE inbox_message
      SET    lease_expires_at = lease_expires_at %s interval '1 h'
      WHERE  scope = ?
      AND    step_key = ?
      AND    status = 'STARTED'
      AND    envelope IS NOT NULL
      """;

  private final Gateway gateway = new Gateway();
  private final String scope = UUID.randomUUID().toString();
  private final Saga saga = new Saga(scope);
  private final HandlerMethods handlers;
  private final Map<Replica, RealReplica> replicas = new EnumMap<>(Replica.class);
  private final Time clock = new Time();

  /**
   * @param isCalledAtOnce whether the charge is called out for whatever is known of it
   */
  RealParticipants(boolean isCalledAtOnce) {
    this.handlers =
        HandlerMethods.of(
            new CompositeRepository().with(Charge.class, new ChargeRows()),
            Fixture.JSON,
            isCalledAtOnce ? new Payments.ChargingAtOnce(gateway) : new Payments.Charging(gateway),
            new Payments.Refunding(gateway));
    for (Replica replica : Replica.values()) {
      replicas.put(replica, started());
    }
  }

  private RealReplica started() {
    var metrics = new SimpleMeterRegistry();
    var environment =
        new Participant.Environment(
            "test-service",
            OwnUnitOfWork.on(DATABASE.source()),
            new Parking(Fixture.JSON, metrics, CONFIG),
            CONFIG,
            Fixture.JSON,
            clock,
            metrics,
            () -> 0);
    KeptCalls calls = new KeptCalls(CONFIG, metrics);
    return new RealReplica(
        new Participant(
            environment,
            ParticipantDependencies.of(
                environment,
                handlers,
                new InboxTable(DATABASE.source()),
                new CallBackoff(CONFIG.callOut()),
                System::nanoTime),
            participant -> calls),
        calls);
  }

  /** Lets it happen. */
  void happen(Event event) throws Exception {
    switch (event.kind()) {
      case SEND, CANCEL, RECEIVE, LOSE_COMMAND, LOSE_REPLY -> {}
      case EXPIRE -> clock.now = EXPIRY;
      case TAKE -> of(event).take(message(event.ofStep()));
      case HANDLE -> of(event).handle();
      case RECOVER -> recover(event);
      case ACKNOWLEDGE -> of(event).acknowledge();
      case CALL -> of(event).call();
      case CARRY_OUT ->
          gateway.carryOut(
              key(event.ofStep()), event.ofStep(), Objects.requireNonNull(event.result()));
      case CONCLUDE -> of(event).conclude();
      case GIVE_UP, CALL_FAILS -> of(event).fail();
      case CRASH -> replicas.put(event.by(), started());
      case LEASE_ENDS -> endLease(event.ofStep());
    }
  }

  private RealReplica of(Event event) {
    return Objects.requireNonNull(replicas.get(event.by()));
  }

  private Delivery message(Step step) {
    Map<String, String> headers = new HashMap<>();
    headers.put(MessageHeaders.SAGA_STEP, step.key());
    if (step == Step.CHARGE) {
      headers.put(MessageHeaders.EXPIRES_AT, EXPIRY.toString());
    }
    return saga.delivery(
        step == Step.CHARGE ? "TakeMoney" : "GiveMoneyBack",
        "{\"subject\":\"%s\"}".formatted(saga.subject).getBytes(UTF_8),
        "order-service",
        headers);
  }

  /**
   * A recovery takes all that is due; if only one step is meant, the other is not due meanwhile.
   */
  private void recover(Event event) throws Exception {
    for (Step step : Step.values()) {
      if (event.step() != null && event.step() != step) {
        DATABASE.update(LATER.formatted("+"), scope, key(step));
      }
    }
    of(event).recover();
    for (Step step : Step.values()) {
      if (event.step() != null && event.step() != step) {
        DATABASE.update(LATER.formatted("-"), scope, key(step));
      }
    }
  }

  /** Lets a step's lease be over by the database's clock. */
  private void endLease(Step step) {
    DATABASE.update(END_LEASE, scope, key(step));
  }

  private String key(Step step) {
    return saga.root + ":" + step.key();
  }

  /** All that can be seen from without, as {@link OracleState#visible} tells it. */
  List<String> visible() {
    List<String> lines =
        new ArrayList<>(DATABASE.texts(VISIBLE, scope, saga.subject, saga.correlationId));
    replicas.forEach((name, replica) -> lines.addAll(replica.calls(name)));
    lines.add(gateway.toString());
    return lines;
  }

  /** What it leaves is due some day, and would be taken over by the next. */
  @Override
  public void close() {
    DATABASE.update("DELETE FROM inbox_message WHERE scope = ?", scope);
  }

  /** The business time of the processes. */
  private static final class Time extends Clock {

    private Instant now = EXPIRY.minusSeconds(1);

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Instant instant() {
      return now;
    }
  }
}
