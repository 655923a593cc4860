package io.onceflow.saga.internal.store.failure;

import static io.onceflow.saga.PlaceOrder.paymentProcessed;
import static io.onceflow.saga.PlaceOrder.shipmentArranged;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.Shop;
import io.onceflow.saga.internal.store.view.OpenSagas;
import io.onceflow.saga.internal.store.view.OpenTimers;
import io.onceflow.saga.internal.store.view.OperatorAnswer;
import io.onceflow.saga.internal.store.view.SagaCounts;
import io.onceflow.saga.internal.store.view.SagaSummary;
import io.onceflow.saga.internal.store.view.Wanted;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A saga whose handling fails rests, and in the end its timer is left alone. */
@Timeout(value = 60, unit = SECONDS)
class QuarantineTest {

  private static final FailurePolicy TWICE =
      new FailurePolicy(2, Duration.ofSeconds(10), Duration.ofSeconds(10));

  private final Shop shop = new Shop(PlaceOrder.DEFINITION);
  private UUID saga;

  @BeforeEach
  void placeAnOrder() throws SQLException {
    SagaDatabase.makeAnew();
    saga = shop.placeOne();
    shop.heard();
    Shop.passDeadlines();
  }

  @Test
  void restsAfterItsFirstFailure() throws SQLException {
    assertThat(fail()).contains(new FailingSagas.Counted(1, false));

    assertThat(shop.fireDue(10)).isEmpty();
    assertThat(shop.view(saga).quarantine()).isNull();
    assertThat(fail()).as("two replicas count one failure once").isEmpty();
  }

  @Test
  void isInQuarantineAfterItsLastAttemptAndSaysWhy() throws SQLException {
    quarantine();

    SagaView view = shop.view(saga);
    assertThat(view.status()).as("that stays as it is").isEqualTo(SagaStatus.RUNNING);
    assertThat(view.nextActionAt()).isNull();
    assertThat(view.quarantine().failures()).isEqualTo(2);
    assertThat(view.quarantine().reason())
        .matches("IllegalStateException by UnsupportedOperationException at QuarantineTest\\.\\S+");
    assertThat(view.history().getLast().event()).isEqualTo("saga-quarantined");
    assertThat(view.history().getLast().detail()).startsWith("after 2 attempts: Illegal");
    OpenTimers timers = new OpenTimers(SagaDatabase.source());
    long counted = SagaDatabase.inTransaction(tx -> SagaCounts.open(tx, timers).quarantined());
    long underWay = SagaDatabase.inTransaction(tx -> OpenSagas.underWay(tx, timers, 10, 10).all());
    assertThat(counted).isEqualTo(1);
    assertThat(underWay).isZero();
    assertThat(shop.fireDue(10)).isEmpty();
  }

  @Test
  void isListedByItself() throws SQLException {
    shop.placeOne();
    quarantine();

    assertThat(list(true)).containsExactly(saga);
    assertThat(list(false)).hasSize(1).doesNotContain(saga);
    assertThat(list(null)).hasSize(2);
  }

  @Test
  void isLiftedByAnOperatorAndSentAtOnce() throws SQLException {
    quarantine();

    OperatorAnswer answer =
        SagaDatabase.inTransaction(
            tx -> shop.request(tx, saga, new SagaEvent.Retry("olga", "mended")));

    assertThat(answer).isInstanceOf(OperatorAnswer.Done.class);
    assertThat(shop.heard()).containsExactly("process-payment");
    assertThat(shop.view(saga).quarantine()).isNull();
    assertThat(shop.view(saga).history().getLast().event()).isEqualTo("sent-again");
    Shop.passDeadlines();
    assertThat(fail()).as("it counts anew").contains(new FailingSagas.Counted(1, false));
  }

  /** Seen red: with a deadline of the past the timer was below the marks of its scans. */
  @Test
  void isDueNowAndNotInThePastWhenItsDeadlineHasPassedMeanwhile() throws SQLException {
    quarantine();
    Instant yesterday = Instant.now().minus(Duration.ofDays(1));

    shop.stopTheClock(yesterday);
    SagaDatabase.inTransaction(tx -> shop.request(tx, saga, new SagaEvent.Retry("olga", "mended")));

    assertThat(find(null).getFirst().nextActionAt()).isAfter(Instant.now().minusSeconds(30));
  }

  @Test
  void isLiftedByAReplyThatMovesItAndByNoOther() throws SQLException {
    quarantine();

    shop.deliver(saga, shipmentArranged());
    assertThat(shop.view(saga).quarantine()).as("that reply is not awaited").isNotNull();

    shop.deliver(saga, paymentProcessed());
    assertThat(shop.view(saga).quarantine()).isNull();
    Shop.passDeadlines();
    assertThat(shop.fireDue(10)).hasSize(1);
  }

  private void quarantine() throws SQLException {
    fail();
    SagaDatabase.execute("UPDATE saga_instance SET next_action_at = now() WHERE failures > 0");
    assertThat(fail()).contains(new FailingSagas.Counted(2, true));
  }

  private Optional<FailingSagas.Counted> fail() throws SQLException {
    Throwable failure =
        new IllegalStateException(
            "with an address in it", new UnsupportedOperationException("and an amount"));
    return SagaDatabase.inTransaction(tx -> FailingSagas.count(tx, saga, failure, TWICE));
  }

  private static List<UUID> list(Boolean quarantined) throws SQLException {
    return find(quarantined).stream().map(SagaSummary::id).toList();
  }

  private static List<SagaSummary> find(Boolean quarantined) throws SQLException {
    return Wanted.find(Wanted.any().with("quarantined", quarantined));
  }
}
