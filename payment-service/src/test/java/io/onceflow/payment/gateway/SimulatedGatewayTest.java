package io.onceflow.payment.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.StepKey;
import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.participant.CallKey;
import io.onceflow.payment.domain.DeclineReason;
import io.onceflow.payment.domain.PaymentGateway;
import io.onceflow.payment.domain.PaymentGateway.Annulled;
import io.onceflow.payment.domain.PaymentGateway.Outcome;
import io.onceflow.payment.domain.ProcessPayment;
import io.onceflow.simulated.KeyReused;
import io.onceflow.simulated.LedgerEntry;
import io.onceflow.simulated.NoAnswer;
import io.onceflow.simulated.SimulatedLedger;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The simulated gateway keeps the promises of a real one, and breaks those that real ones break.
 */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "payments"))
class SimulatedGatewayTest {

  private final UUID order = OutboxMessage.newId();
  private final CallKey key = key("alice", UUID.randomUUID().toString());

  @Inject SimulatedGateway gateway;
  @Inject SimulatedLedger ledger;

  @Test
  void chargesOncePerKeyAndAnswersTheSameAgain() throws Exception {
    Outcome first = gateway.charge(key, command("pm_card_visa"));

    assertThat(gateway.charge(key, command("pm_card_visa"))).isEqualTo(first);
    assertThat(kinds()).containsExactly("CHARGE");
  }

  @Test
  void showsADoubleChargeUnderAnotherKey() throws Exception {
    gateway.charge(key, command("pm_card_visa"));
    gateway.charge(key("alice", UUID.randomUUID().toString()), command("pm_card_visa"));

    assertThat(kinds()).containsExactly("CHARGE", "CHARGE");
  }

  @Test
  void tellsCustomersWithTheSameKeyApart() throws Exception {
    CallKey bobs = new CallKey("bob", key.step());

    assertThat(gateway.charge(bobs, command("pm_card_visa")))
        .isNotEqualTo(gateway.charge(key, command("pm_card_visa")));
  }

  @Test
  void refusesAKeyWithAnotherAmount() throws Exception {
    gateway.charge(key, command("pm_card_visa"));

    assertThatThrownBy(
            () -> gateway.charge(key, new ProcessPayment(order, 1, "EUR", "pm_card_visa")))
        .isInstanceOf(KeyReused.class);
    assertThat(kinds()).hasSize(1);
  }

  @Test
  void findsAndGivesBackAChargeOfWhichNobodyKnew() throws Exception {
    String charge = charged(gateway.charge(key, command("pm_card_visa")));

    assertThat(gateway.annul(key, order)).contains(new Annulled(charge, 2500, "EUR"));
    assertThat(gateway.annul(key, order)).as("again").contains(new Annulled(charge, 2500, "EUR"));
    assertThat(kinds()).containsExactly("CHARGE", "REFUND");
  }

  @Test
  void chargesNothingUnderAKeyThatWasAnnulled() throws Exception {
    assertThat(gateway.annul(key, order)).isEmpty();

    assertThat(gateway.charge(key, command("pm_card_visa")))
        .isEqualTo(new Outcome.Declined(DeclineReason.CANCELLED));
    assertThat(gateway.annul(key, order)).isEmpty();
    assertThat(kinds()).isEmpty();
  }

  @Test
  void leavesNoChargeStandingHoweverItRacesWithItsAnnulment() throws Exception {
    for (int i = 0; i < 50; i++) {
      CallKey raced = key("alice", UUID.randomUUID().toString());
      FutureTask<?> charge =
          new FutureTask<>(
              () -> {
                gateway.charge(raced, command("pm_card_visa"));
                return null;
              });
      Thread.ofVirtual().start(charge);
      gateway.annul(raced, order);
      try {
        charge.get();
      } catch (ExecutionException late) {
        assertThat(late).hasCauseInstanceOf(KeyReused.class);
      }
    }

    assertThat(kinds().stream().filter("CHARGE"::equals).count())
        .as("each charge was given back")
        .isEqualTo(kinds().stream().filter("REFUND"::equals).count());
  }

  @Test
  void givesBackOncePerKey() throws Exception {
    String charge = charged(gateway.charge(key, command("pm_card_visa")));

    gateway.refund(PaymentGateway.refundOf(key), order, charge, 2500);
    gateway.refund(PaymentGateway.refundOf(key), order, charge, 2500);

    assertThat(kinds()).containsExactly("CHARGE", "REFUND");
  }

  @Test
  void givesNothingBackOfAChargeThatItDoesNotKnow() {
    assertThatThrownBy(
            () -> gateway.refund(PaymentGateway.refundOf(key), order, "ch_of_somebody_else", 2500))
        .isInstanceOf(KeyReused.class);
  }

  @Test
  void losesItsFirstAnswerThoughItCharged() throws Exception {
    assertThatThrownBy(() -> gateway.charge(key, command("pm_sim_lost_answer")))
        .isInstanceOf(NoAnswer.class);
    assertThat(kinds()).containsExactly("CHARGE");

    charged(gateway.charge(key, command("pm_sim_lost_answer")));
    assertThat(kinds()).containsExactly("CHARGE");
  }

  @Test
  void isUnavailableTwiceThenCharges() throws Exception {
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> gateway.charge(key, command("pm_sim_unavailable_twice")))
          .isInstanceOf(NoAnswer.class);
      assertThat(kinds()).isEmpty();
    }

    charged(gateway.charge(key, command("pm_sim_unavailable_twice")));
    assertThat(kinds()).containsExactly("CHARGE");
  }

  @ParameterizedTest
  @CsvSource({
    "pm_card_chargeDeclined, CARD_DECLINED",
    "pm_card_chargeDeclinedInsufficientFunds, INSUFFICIENT_FUNDS",
    "pm_unknown, CARD_DECLINED"
  })
  void declinesWithoutATrace(String paymentMethod, DeclineReason reason) throws Exception {
    assertThat(gateway.charge(key, command(paymentMethod))).isEqualTo(new Outcome.Declined(reason));
    assertThat(kinds()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"pm_sim_slow", "pm_sim_down"})
  void letsItselfBeInterruptedWhileItTakesItsTime(String paymentMethod) throws Exception {
    FutureTask<Outcome> call = new FutureTask<>(() -> gateway.charge(key, command(paymentMethod)));
    Thread caller = Thread.ofVirtual().start(call);

    caller.interrupt();

    assertThatThrownBy(call::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(kinds()).isEmpty();
  }

  private List<String> kinds() throws Exception {
    return ledger.ofOrder(order).stream().map(LedgerEntry::kind).toList();
  }

  private ProcessPayment command(String paymentMethod) {
    return new ProcessPayment(order, 2500, "EUR", paymentMethod);
  }

  private static String charged(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Charged.class);
    return ((Outcome.Charged) outcome).reference();
  }

  private static CallKey key(String customer, String root) {
    return new CallKey(customer, new StepKey(new IdempotencyKey(root), "process-payment"));
  }
}
