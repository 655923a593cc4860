package io.onceflow.payment.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.participant.CallKey;
import io.onceflow.payment.domain.PaymentGateway;
import io.onceflow.payment.domain.ProcessPayment;
import io.onceflow.reconciliation.BookEntry;
import io.onceflow.reconciliation.Difference;
import io.onceflow.reconciliation.Difference.Kind;
import io.onceflow.reconciliation.Difference.Status;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrayChargesTest {

  private static final CallKey KEY = CallKey.of("reconciliation", "pi_1:refund");
  private static final UUID NO_ORDER = new UUID(0, 0);

  private final RefundedOrders refunded = new RefundedOrders();
  private final StrayCharges strays = new StrayCharges(refunded);

  /** The simulated gateway's book and Stripe's name the order differently. */
  @ParameterizedTest
  @CsvSource({"orderId", "reference"})
  void refundsUnderTheOrderThatTheGatewaysBookNames(String member) throws InterruptedException {
    UUID order = UUID.randomUUID();

    strays.carryOut(stray(Map.of(member, order.toString())), KEY);

    assertThat(refunded.orders).containsExactly(order);
  }

  /** Another application with the same account at the gateway names other things than orders. */
  @Test
  void refundsAlsoWhatWasNotChargedForAnOrder() throws InterruptedException {
    strays.carryOut(stray(Map.of("reference", "trip 7")), KEY);
    strays.carryOut(stray(Map.of()), KEY);

    assertThat(refunded.orders).containsExactly(NO_ORDER, NO_ORDER);
  }

  /** The compensation of the step may come later, and asks for the same refund. */
  @Test
  void refundsUnderTheKeyThatFollowsFromTheCharge() throws InterruptedException {
    CallKey charge = CallKey.of("alice", "k-1:process-payment@order-service/place-order");

    strays.carryOut(
        stray(Map.of("customer", charge.scope(), "idempotencyKey", charge.stepKey())), KEY);

    assertThat(refunded.keys).containsExactly(PaymentGateway.refundOf(charge));
  }

  @Test
  void refundsWhatNoStepHasChargedUnderTheKeyOfTheMend() throws InterruptedException {
    strays.carryOut(stray(Map.of("customer", "alice", "idempotencyKey", "by hand")), KEY);
    strays.carryOut(stray(Map.of("key", "process-payment-0f3a")), KEY);

    assertThat(refunded.keys).containsExactly(KEY, KEY);
  }

  /** Ours says refunded: the bank has sent the refund back since. */
  @Test
  void asksAgainForARefundThatHasFailed() throws InterruptedException {
    CallKey charge = CallKey.of("alice", "k-1:process-payment@order-service/place-order");
    Map<String, String> evidence =
        Map.of(
            "orderId", NO_ORDER.toString(),
            "customer", charge.scope(),
            "idempotencyKey", charge.stepKey());

    assertThat(strays.proposal(state("REFUNDED", "CHARGED", evidence)))
        .contains("ask again for the refund of the charge pi_1");
    assertThat(strays.carryOut(state("REFUNDED", "CHARGED", evidence), KEY))
        .isEqualTo("requested the refund again");

    assertThat(refunded.keys).containsExactly(PaymentGateway.refundOf(charge));
  }

  /** A refund in part was made by hand; a charge that we have is refunded by no mend. */
  @Test
  void proposesNothingForOtherStates() {
    Map<String, String> evidence =
        Map.of("orderId", NO_ORDER.toString(), "customer", "alice", "idempotencyKey", "k:a");

    assertThat(strays.proposal(state("REFUNDED", "PARTLY_REFUNDED", evidence))).isEmpty();
    assertThat(strays.proposal(state("CHARGED", "REFUNDED|ABSENT", evidence))).isEmpty();
    assertThat(strays.proposal(state("REFUNDED", "CHARGED", Map.of()))).isEmpty();
  }

  private static Difference state(String ours, String theirs, Map<String, String> evidence) {
    return difference(Kind.STATE, List.of(entry(ours, evidence)), List.of(entry(theirs, Map.of())));
  }

  private static BookEntry entry(String state, Map<String, String> evidence) {
    Instant at = Instant.EPOCH;
    return new BookEntry("pi_1", state, 700L, "EUR", at, at, null, evidence);
  }

  private static Difference stray(Map<String, String> evidence) {
    return difference(Kind.MISSING_HERE, List.of(), List.of(entry("CHARGED", evidence)));
  }

  private static Difference difference(Kind kind, List<BookEntry> ours, List<BookEntry> theirs) {
    Instant at = Instant.EPOCH;
    return new Difference(
        new UUID(0, 1),
        "payments-gateway",
        "pi_1",
        kind,
        LocalDate.EPOCH,
        Status.MENDING,
        ours,
        theirs,
        at,
        at,
        null,
        null,
        null,
        null);
  }

  private static final class RefundedOrders implements PaymentGateway {

    final List<UUID> orders = new ArrayList<>();
    final List<CallKey> keys = new ArrayList<>();

    @Override
    public void refund(CallKey key, UUID orderId, String charge, long amount) {
      orders.add(orderId);
      keys.add(key);
    }

    @Override
    public Outcome charge(CallKey key, ProcessPayment command) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Annulled> annul(CallKey charge, UUID orderId) {
      throw new UnsupportedOperationException();
    }
  }
}
