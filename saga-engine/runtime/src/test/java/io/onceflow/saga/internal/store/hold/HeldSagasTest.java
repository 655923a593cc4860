package io.onceflow.saga.internal.store.hold;

import static io.onceflow.saga.PlaceOrder.paymentProcessed;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.SagaView.Hold;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.Shop;
import io.onceflow.saga.internal.store.view.OpenTimers;
import io.onceflow.saga.internal.store.view.OperatorAnswer;
import io.onceflow.saga.internal.store.view.SagaCounts;
import io.onceflow.saga.internal.store.view.SagaSummary;
import io.onceflow.saga.internal.store.view.Wanted;
import io.onceflow.sql.Sql;
import io.quarkiverse.resteasy.problem.HttpProblem;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.data.TemporalUnitWithinOffset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nothing moves a saga that is on hold, and nothing is lost by that. */
@Timeout(value = 60, unit = SECONDS)
class HeldSagasTest {

  private final Shop shop = new Shop(PlaceOrder.DEFINITION);
  private UUID saga;

  @BeforeEach
  void placeAnOrder() throws SQLException {
    SagaDatabase.makeAnew("classpath:db/onceflow/inbox");
    saga = shop.placeOne();
    shop.heard();
  }

  @Test
  void isShownWithWhoHoldsItAndWhyAndUntilWhen() throws SQLException {
    Instant until = Instant.parse("2999-01-01T00:00:00Z");
    assertThat(hold(until)).containsExactly(saga);

    SagaView view = shop.view(saga);
    assertThat(view.hold().by()).isEqualTo("olga");
    assertThat(view.hold().reason()).isEqualTo("wait");
    assertThat(view.hold().until()).isEqualTo(until);
    assertThat(view.hold().since()).isAfter(Instant.now().minus(Duration.ofMinutes(1)));
    assertThat(view.withoutPersonalData().hold().reason()).isNull();
    assertThat(view.nextActionAt()).isNull();
    assertThat(view.history().getLast().event()).isEqualTo("saga-held");
    assertThat(view.history().getLast().detail()).isEqualTo("by olga: wait; until " + until);
    assertThat(hold(null)).as("it is on hold already").isEmpty();
  }

  @Test
  void isFoundAndCountedByItself() throws SQLException {
    UUID other = shop.placeOne();
    hold(null);

    assertThat(found(true)).containsExactly(saga);
    assertThat(found(false)).containsExactly(other);
    OpenTimers timers = new OpenTimers(SagaDatabase.source());
    SagaCounts counted = SagaDatabase.inTransaction(tx -> SagaCounts.open(tx, timers));
    assertThat(counted.held()).isEqualTo(1);
    assertThat(counted.quarantined()).as("neither in quarantine").isZero();
    assertThat(counted.overdue()).as("nor overdue").isZero();
  }

  @Test
  void sendsNothingAndFiresNoTimer() throws SQLException {
    Shop.passDeadlines();
    hold(null);

    assertThat(shop.fireDue(10)).isEmpty();
    assertThat(shop.heard()).isEmpty();
    assertThat(ask(new SagaEvent.Retry("paul", null)).objection().orElseThrow())
        .startsWith("it is on hold, by olga since ")
        .endsWith("; resume it first");
    assertThat(shop.heard()).isEmpty();
  }

  @Test
  void isNotCancelledMeanwhileAndSaysSo() throws SQLException {
    hold(null);
    UUID order = SagaDatabase.inTransaction(HeldSagasTest::subject);

    assertThatThrownBy(
            () ->
                SagaDatabase.inTransaction(
                    tx ->
                        shop.sagas.cancel(
                            Shop.in(tx), order, new SagaEvent.Cancel("LATE", "alice", null))))
        .isInstanceOfSatisfying(
            HttpProblem.class, problem -> assertThat(problem.getStatusCode()).isEqualTo(503));
    assertThat(shop.view(saga).reason()).isNull();
  }

  /** Seen red without: its deadline passed on hold, and it was compensated when it was resumed. */
  @Test
  void losesNoTimeByTheHold() throws SQLException {
    SagaView before = shop.view(saga);
    hold(null);
    Duration day = Duration.ofDays(1);
    heldFor(day);
    resume();

    SagaView after = shop.view(saga);
    assertThat(after.hold()).isNull();
    assertThat(after.history().getLast().event()).isEqualTo("saga-resumed");
    assertThat(after.deadlineAt()).isCloseTo(before.deadlineAt().plus(day), aMinute());
    assertThat(after.nextActionAt()).isCloseTo(before.nextActionAt().plus(day), aMinute());
    assertThat(after.steps().getFirst().expiresAt())
        .isCloseTo(before.steps().getFirst().expiresAt().plus(day), aMinute());
    assertThat(shop.fireDue(10)).isEmpty();
    shop.deliver(saga, paymentProcessed());
    assertThat(shop.heard()).as("it continues").containsExactly("arrange-shipment");
  }

  @Test
  void isResumedAtItsEndByTheSweepThatFindsItDue() throws SQLException {
    hold(Instant.now().minusSeconds(1));

    assertThat(shop.fireDue(10)).as("its times come later").isEmpty();

    SagaView after = shop.view(saga);
    assertThat(after.hold()).isNull();
    assertThat(after.history().getLast().detail()).isEqualTo("the time of the hold is over");
    Shop.passDeadlines();
    assertThat(shop.fireDue(10)).hasSize(1);
    assertThat(shop.heard()).containsExactly("process-payment");
  }

  /** The sweep found it due before it was put on hold, and takes it up alone after a failure. */
  @Test
  void isNotResumedByASweepThatFoundItDueBefore() throws SQLException {
    hold(null);

    SagaDatabase.inTransaction(tx -> shop.sagas.fireDue(Shop.in(tx), Set.of(saga)));

    assertThat(shop.view(saga).hold()).isNotNull();
  }

  @Test
  void isInQuarantineAgainIfItWasInIt() throws SQLException {
    SagaDatabase.execute(
        """
        UPDATE saga_instance
        SET    failures = 5, quarantined_at = now(), quarantine_reason = 'X', next_action_at = 'infinity'
        """);
    hold(null);
    assertThat(shop.view(saga).quarantine()).isNotNull();
    resume();

    assertThat(shop.view(saga).quarantine()).isNotNull();
    assertThat(shop.fireDue(10)).isEmpty();
  }

  @Test
  void hasItsKeptRepliesTakenByAReplicaThatKnowsItOnceItIsResumed() throws SQLException {
    hold(null);
    SagaDatabase.execute(
        """
        INSERT INTO parked_message
               (id, queue, correlation_id, payload, reason, detail, next_attempt_at, waits_for)
        SELECT gen_random_uuid(), 'replies', id::text, '', 'deferred', 'on hold', 'infinity', '{kept}'
        FROM   saga_instance
        """);
    resume();

    List<String> waitsFor =
        SagaDatabase.inTransaction(
            tx ->
                Sql.query(
                    tx,
                    "SELECT waits_for[1] AS it FROM parked_message WHERE next_attempt_at <= now()",
                    row -> row.text("it")));
    assertThat(waitsFor).containsExactly(PlaceOrder.DEFINITION.toString());
  }

  private List<UUID> hold(@Nullable Instant until) throws SQLException {
    Hold hold = new Hold(Instant.EPOCH, "olga", "wait", until, false);
    return SagaDatabase.inTransaction(tx -> HeldSagas.hold(tx, Set.of(saga), hold));
  }

  private void resume() throws SQLException {
    List<UUID> resumed =
        SagaDatabase.inTransaction(tx -> HeldSagas.resume(tx, Set.of(saga), "by olga"));
    assertThat(resumed).containsExactly(saga);
  }

  private OperatorAnswer ask(SagaEvent.Request request) throws SQLException {
    return SagaDatabase.inTransaction(tx -> shop.request(tx, saga, request));
  }

  /** As if it had been held so long ago. */
  private static void heldFor(Duration time) throws SQLException {
    SagaDatabase.execute(
        """
        UPDATE saga_instance
        SET    hold = (hold::jsonb || jsonb_build_object(
                         'since', now() - interval '%s s'))::json
        """
            .formatted(time.toSeconds()));
  }

  private static UUID subject(Connection tx) throws SQLException {
    return Sql.query(tx, "SELECT subject_id FROM saga_instance", row -> row.uuid("subject_id"))
        .getFirst();
  }

  private static TemporalUnitWithinOffset aMinute() {
    return new TemporalUnitWithinOffset(1, ChronoUnit.MINUTES);
  }

  private static List<UUID> found(boolean held) throws SQLException {
    return Wanted.find(Wanted.any().with("held", held)).stream().map(SagaSummary::id).toList();
  }
}
