package io.onceflow.systemtests.chaos.world;

import static io.onceflow.systemtests.chaos.world.PlantedWorld.took;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.launcher.check.Finding;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A world without faults breaks no law; for each law there is a world that breaks it. */
class LawTest {

  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private final PlantedWorld world = new PlantedWorld();

  @Test
  void aWorldInWhichAllWentWellBreaksNoLaw() {
    assertThat(Law.checkAll(world.build())).isEmpty();
  }

  @Test
  void anOrderThatWasAnsweredAndIsNotThere() {
    world.asked.add(new World.Asked("ada", "key-9", 100, Set.of("order-9"), List.of()));

    expect(Law.ACCEPTED_ORDERS_ARE_THERE);
  }

  @Test
  void anOrderOfAnotherAmountThanWasAskedFor() {
    world.asked.set(0, new World.Asked("ada", "key-1", 999, Set.of("order-1"), List.of()));

    expect(Law.ACCEPTED_ORDERS_ARE_THERE);
  }

  @Test
  void aKeyThatWasAnsweredWithTwoOrders() {
    world.asked.set(
        0, new World.Asked("ada", "key-1", 100, Set.of("order-1", "order-2"), List.of()));

    expect(Law.ONE_ORDER_PER_KEY);
  }

  @Test
  void aKeyThatBeganTwoSagas() {
    world.orders.add(new World.Order("order-9", "ada", "CANCELLED", 100));
    world.sagas.add(new World.Saga("saga-9", "order-9", "ada", "key-1", "COMPENSATED"));

    expect(Law.ONE_ORDER_PER_KEY);
  }

  @Test
  void aSagaUnderAKeyThatNoClientUsed() {
    world.sagas.set(0, new World.Saga("saga-1", "order-1", "ada", "key-8", "COMPLETED"));

    expect(Law.NOTHING_UNASKED);
  }

  @Test
  void anOrderWithoutASaga() {
    world.sagas.removeFirst();

    expect(Law.NOTHING_UNASKED);
  }

  @Test
  void aSagaThatHasNotEnded() {
    world.sagas.set(0, new World.Saga("saga-1", "order-1", "ada", "key-1", "RUNNING"));

    expect(Law.SAGAS_END);
  }

  @Test
  void othersWhoWaitWhileOneCallerFloods() {
    world.served.add(new World.Served("FLOOD", 100, took(1_001), false, World.TimeTaken.NEVER));

    expect(Law.OTHERS_ARE_SERVED);
  }

  @Test
  void othersWhoAreNotServedAtAllWhileAConnectionIsSilent() {
    world.served.add(
        new World.Served("SILENCE", 0, World.TimeTaken.NEVER, false, World.TimeTaken.NEVER));

    expect(Law.OTHERS_ARE_SERVED);
  }

  @Test
  void othersWhoseOrdersWaitBehindOneCallersCalls() {
    world.served.add(new World.Served("HANGING_CALLS", 100, took(20), true, took(7_001)));

    expect(Law.OTHERS_ARE_CONFIRMED);
  }

  @Test
  void othersWhoseOrdersAreNeverConfirmed() {
    world.served.add(
        new World.Served("DATABASE_CLOCK", 100, took(20), true, World.TimeTaken.NEVER));

    expect(Law.OTHERS_ARE_CONFIRMED);
  }

  @Test
  void callersWhoWaitForTheAnswerThatNothingCanBeWritten() {
    world.interrupted.add(
        new World.Interrupted(
            "STANDBY_AWAY", 100, Duration.ofMillis(1_001), Duration.ofSeconds(1)));

    expect(Law.ALL_ARE_ANSWERED);
  }

  @Test
  void callersWhoAreNotAnsweredWhileNothingCanBeWritten() {
    world.interrupted.add(new World.Interrupted("STANDBY_AWAY", 0, null, Duration.ofSeconds(1)));

    expect(Law.ALL_ARE_ANSWERED);
  }

  @Test
  void ordersThatArePlacedLongAfterTheyCould() {
    world.interrupted.add(
        new World.Interrupted("READ_ONLY", 100, Duration.ofMillis(20), Duration.ofMillis(5_001)));

    expect(Law.WRITES_RESUME);
  }

  @Test
  void ordersThatAreNeverPlacedAgain() {
    world.interrupted.add(new World.Interrupted("READ_ONLY", 100, Duration.ofMillis(20), null));

    expect(Law.WRITES_RESUME);
  }

  /** On slow cores everything takes longer; by itself that breaks no law. */
  @Test
  void limitsGrowWithWhatTheMachineTakesUndisturbed() {
    Duration least = Duration.ofSeconds(1);
    Limits fast = Limits.of(least, least, least, least, least);
    Limits slow =
        Limits.of(
            least.multipliedBy(9), least.multipliedBy(9), least.multipliedBy(9), least, least);

    assertThat(slow.ready()).isEqualTo(fast.ready().multipliedBy(9));
    assertThat(slow.post()).isEqualTo(fast.post().multipliedBy(9));
    assertThat(slow.confirmed()).isEqualTo(fast.confirmed().plusSeconds(8));
    assertThat(slow.resumed()).isEqualTo(fast.resumed().multipliedBy(9));
  }

  @Test
  void anOrderThatIsPendingForEver() {
    world.orders.set(0, new World.Order("order-1", "ada", "PENDING", 100));

    expect(Law.SAGAS_END);
  }

  @Test
  void aCancellationThatWasPromisedAndDidNotHappen() {
    world.asked.set(
        0, new World.Asked("ada", "key-1", 100, Set.of("order-1"), List.of("compensating")));

    expect(Law.CUSTOMERS_ARE_TOLD_THE_TRUTH);
  }

  @Test
  void aCancellationThatWasRefusedAndHappened() {
    world.asked.set(
        1, new World.Asked("bob", "key-2", 200, Set.of("order-2"), List.of("too-late")));

    expect(Law.CUSTOMERS_ARE_TOLD_THE_TRUTH);
  }

  @Test
  void anOrderThatItsCustomerIsShownOtherwise() {
    world.shown.add(new World.Shown("order-1", 200, "PENDING"));

    expect(Law.ORDERS_ARE_SHOWN_AS_THEY_ARE);
  }

  @Test
  void anOrderThatItsCustomerIsNotShown() {
    world.shown.add(new World.Shown("order-1", 404, ""));

    expect(Law.ORDERS_ARE_SHOWN_AS_THEY_ARE);
  }

  @Test
  void anOrderThatIsChargedTwice() {
    world.gateway.add(new World.Entry("order-1", "CHARGE", 100));

    expect(Law.ONE_EFFECT_PER_KEY);
    expect(Law.MONEY_ADDS_UP);
  }

  @Test
  void anOrderThatIsBookedTwice() {
    world.carrier.add(new World.Entry("order-1", "BOOKING", 0));

    expect(Law.ONE_EFFECT_PER_KEY);
  }

  @Test
  void aChargeForAnOrderThatWasNotPlaced() {
    world.gateway.add(new World.Entry("order-9", "CHARGE", 100));

    expect(Law.NO_EFFECT_WITHOUT_ORDER);
  }

  @Test
  void aConfirmedOrderThatIsNotPaid() {
    world.gateway.removeFirst();

    expect(Law.MONEY_ADDS_UP);
    expect(Law.NOTHING_SHIPPED_UNPAID);
  }

  @Test
  void aCancelledOrderWhoseChargeStands() {
    world.gateway.removeLast();

    expect(Law.MONEY_ADDS_UP);
  }

  @Test
  void aCancelledOrderWhoseShipmentStands() {
    world.carrier.add(new World.Entry("order-2", "BOOKING", 0));

    expect(Law.MONEY_ADDS_UP);
    expect(Law.NOTHING_SHIPPED_UNPAID);
  }

  @Test
  void aParkedMessageThatIsNotTheNemesisOwn() {
    world.parked.add(new World.Parked("order-service", "ada", "fingerprint-mismatch", "a reply"));

    expect(Law.NOTHING_IS_PARKED);
  }

  @Test
  void nonsenseThatIsParkedAsItShould() {
    world.parked.add(new World.Parked("order-service", World.NONSENSE, "malformed", "nonsense"));

    assertThat(Law.checkAll(world.build())).isEmpty();
  }

  @Test
  void aMessageThatIsStillToBeSent() {
    world.left.add(new World.Left("order-service outbox_message", "order-1", "OrderConfirmed"));

    expect(Law.NOTHING_IS_LEFT);
  }

  @Test
  void aStepThatIsWrittenAgainAfterItWasCompleted() {
    world.rewritten.add(new World.Rewritten("payment-service", 1, List.of()));

    expect(Law.STEPS_ARE_COMPLETED_ONCE);
  }

  @Test
  void aCommandThatTheBrokerTookAndNoServiceCarriedOut() {
    world.probes.add(new World.Probe("probe-9", NOON));

    expect(Law.WHAT_IS_TAKEN_IS_DONE);
  }

  @Test
  void aChargeThatStandsThoughItsRefundCameBefore() {
    world.overtaken.add(new World.Probe("probe-9", NOON));
    world.gateway.add(new World.Entry("probe-9", "CHARGE", 100));

    expect(Law.WHAT_IS_UNDONE_FIRST_IS_NOT_DONE);
  }

  @Test
  void aChargeMayStandWhoseRefundTheBrokerDidNotConfirm() {
    world.overtaken.add(new World.Probe("probe-9", null));
    world.gateway.add(new World.Entry("probe-9", "CHARGE", 100));

    assertThat(Law.checkAll(world.build())).isEmpty();
  }

  @Test
  void aChargeMayComeBeforeItsRefundAfterAll() {
    world.overtaken.add(new World.Probe("probe-9", NOON));
    world.gateway.add(new World.Entry("probe-9", "CHARGE", 100));
    world.gateway.add(new World.Entry("probe-9", "REFUND", 100));

    assertThat(Law.checkAll(world.build())).isEmpty();
  }

  @Test
  void aCommandThatTheBrokerDidNotConfirmMayBeLost() {
    world.probes.add(new World.Probe("probe-9", null));

    assertThat(Law.checkAll(world.build())).isEmpty();
  }

  @Test
  void aCommandThatLayInAQueueThatWasEmptiedMayBeLost() {
    world.probes.add(new World.Probe("probe-9", NOON));
    world.losses.add(new World.Loss(NOON.plusSeconds(3)));

    assertThat(Law.checkAll(world.build())).isEmpty();
  }

  @Test
  void aCommandThatCameAfterTheQueueWasEmptiedMayNotBeLost() {
    world.probes.add(new World.Probe("probe-9", NOON));
    world.losses.add(new World.Loss(NOON.minusSeconds(3)));
    world.losses.add(new World.Loss(NOON.plusSeconds(300)));

    expect(Law.WHAT_IS_TAKEN_IS_DONE);
  }

  @Test
  void anOrderWhoseEndWasNotPublished() {
    world.told.remove("OrderConfirmed order-1");

    expect(Law.WHAT_IS_DECIDED_IS_TOLD);
  }

  @Test
  void eventsThatABrokerForgotAreNotAskedFor() {
    world.told = null;

    assertThat(Law.checkAll(world.build())).isEmpty();
  }

  @Test
  void aServiceThatTakesTooLongToBeReady() {
    world.recoveries.add(new World.Recovery("order-1", "started", Duration.ofSeconds(11)));

    expect(Law.SERVICES_RECOVER);
  }

  @Test
  void aServiceThatIsNeverReadyAgain() {
    world.recoveries.add(new World.Recovery("order-1", "thawed", null));

    expect(Law.SERVICES_RECOVER);
  }

  @Test
  void whatTheCheckOfARunningInstallationFinds() {
    world.checked.add(new Finding("a saga's timer fires when it is due", "orders", "saga-1", ""));

    expect(Law.THE_CHECK_FINDS_NOTHING);
  }

  @Test
  void aDifferenceThatIsNotFound() {
    world.found.clear();

    expect(Law.BOOKS_ARE_COMPARED);
  }

  @Test
  void aDifferenceThatIsNone() {
    world.found.add(new World.Difference("orders-payments", "AMOUNT", "order-1"));

    expect(Law.BOOKS_ARE_COMPARED);
  }

  /** The reference of a charge or of a booking is none. */
  @Test
  void aDifferenceNamesAnOrderWhereOrdersAreCompared() {
    world.found.clear();
    world.found.add(new World.Difference("orders-payments", "AMOUNT", "order-1"));

    assertThat(Law.BOOKS_ARE_COMPARED.check(world.build()))
        .extracting(Violation::orderId)
        .containsExactlyInAnyOrder("", "order-1");
  }

  private void expect(Law broken) {
    assertThat(broken.check(world.build())).as(broken.words()).isNotEmpty();
  }
}
