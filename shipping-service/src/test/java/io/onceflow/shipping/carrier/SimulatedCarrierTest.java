package io.onceflow.shipping.carrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.StepKey;
import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.participant.CallKey;
import io.onceflow.shipping.domain.ArrangeReturn;
import io.onceflow.shipping.domain.ArrangeShipment;
import io.onceflow.shipping.domain.ArrangeShipment.Address;
import io.onceflow.shipping.domain.ArrangeShipment.Item;
import io.onceflow.shipping.domain.Carrier;
import io.onceflow.shipping.domain.Carrier.Outcome;
import io.onceflow.shipping.domain.RejectReason;
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
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The simulated carrier keeps the promises of a real one, and breaks those that real ones break.
 */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "shipping"))
class SimulatedCarrierTest {

  private final UUID order = OutboxMessage.newId();
  private final CallKey key = key("alice", UUID.randomUUID().toString());

  @Inject SimulatedCarrier carrier;
  @Inject SimulatedLedger ledger;

  @Test
  void booksOncePerKeyAndAnswersTheSameAgain() throws Exception {
    Outcome first = carrier.book(key, to("SW1Y 4JH"));

    assertThat(first).isInstanceOf(Outcome.Booked.class);
    assertThat(carrier.book(key, to("SW1Y 4JH"))).isEqualTo(first);
    assertThat(kinds()).containsExactly("BOOKING");
  }

  @Test
  void showsADoubleBookingUnderAnotherKey() throws Exception {
    carrier.book(key, to("SW1Y 4JH"));
    carrier.book(key("alice", UUID.randomUUID().toString()), to("SW1Y 4JH"));

    assertThat(kinds()).containsExactly("BOOKING", "BOOKING");
  }

  @Test
  void tellsCustomersWithTheSameKeyApart() throws Exception {
    CallKey bobs = new CallKey("bob", key.step());

    assertThat(carrier.book(bobs, to("SW1Y 4JH"))).isNotEqualTo(carrier.book(key, to("SW1Y 4JH")));
  }

  @Test
  void refusesAKeyForAnotherOrder() throws Exception {
    carrier.book(key, to("SW1Y 4JH"));
    UUID other = OutboxMessage.newId();

    assertThatThrownBy(() -> carrier.book(key, command(other, "SW1Y 4JH", "GB")))
        .isInstanceOf(KeyReused.class);
    assertThat(ledger.ofOrder(other)).isEmpty();
  }

  @Test
  void takesBackOncePerKey() throws Exception {
    String number = ((Outcome.Booked) carrier.book(key, to("SW1Y 4JH"))).trackingNumber();

    carrier.cancel(Carrier.cancellationOf(key), order, number);
    carrier.cancel(Carrier.cancellationOf(key), order, number);

    assertThat(kinds()).containsExactly("BOOKING", "CANCELLATION");
    assertThatThrownBy(() -> carrier.cancel(key, order, "SIM-OF-SOMEBODY-ELSE"))
        .isInstanceOf(KeyReused.class);
  }

  @Test
  void losesItsFirstAnswerThoughItBooked() throws Exception {
    assertThatThrownBy(() -> carrier.book(key, to("SIM-LOST-ANSWER"))).isInstanceOf(NoAnswer.class);
    assertThat(kinds()).containsExactly("BOOKING");

    carrier.book(key, to("SIM-LOST-ANSWER"));
    assertThat(kinds()).containsExactly("BOOKING");
  }

  @Test
  void isUnavailableTwiceThenBooks() throws Exception {
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> carrier.book(key, to("SIM-UNAVAILABLE-TWICE")))
          .isInstanceOf(NoAnswer.class);
      assertThat(kinds()).isEmpty();
    }

    carrier.book(key, to("SIM-UNAVAILABLE-TWICE"));
    assertThat(kinds()).containsExactly("BOOKING");
  }

  @Test
  void doesNotGoToAntarctica() throws Exception {
    assertThat(carrier.book(key, command(order, "SW1Y 4JH", "AQ")))
        .isEqualTo(new Outcome.Refused(RejectReason.COUNTRY_NOT_SERVED));
    assertThat(kinds()).isEmpty();
  }

  @Test
  void fetchesWhatItHasBroughtUnderAKeyOfItsOwn() throws Exception {
    CallKey back = key.sibling("arrange-return");
    carrier.book(key, to("SW1Y 4JH"));

    carrier.fetch(back, from("SW1Y 4JH"));
    carrier.fetch(back, from("SW1Y 4JH"));

    assertThat(kinds()).containsExactly("BOOKING", "BOOKING");
    assertThat(ledger.ofOrder(order).getLast().idempotencyKey()).isEqualTo(back.step().toString());
  }

  @Test
  void losesItsFirstAnswerToAReturnThoughItBooked() throws Exception {
    assertThatThrownBy(() -> carrier.fetch(key, from("SIM-LOST-ANSWER")))
        .isInstanceOf(NoAnswer.class);

    carrier.fetch(key, from("SIM-LOST-ANSWER"));
    assertThat(kinds()).containsExactly("BOOKING");
  }

  @Test
  void bringsThingsToSomePlacesWhereItFetchesNothing() throws Exception {
    assertThat(carrier.book(key, to("SIM-NO-RETURNS"))).isInstanceOf(Outcome.Booked.class);
    assertThat(carrier.fetch(key, from("SIM-NO-RETURNS")))
        .isEqualTo(new Outcome.Refused(RejectReason.RETURNS_NOT_SERVED));
    assertThat(kinds()).containsExactly("BOOKING");
  }

  @ParameterizedTest
  @ValueSource(strings = {"SIM-SLOW", "SIM-DOWN"})
  void letsItselfBeInterruptedWhileItTakesItsTime(String postalCode) throws Exception {
    FutureTask<Outcome> call = new FutureTask<>(() -> carrier.book(key, to(postalCode)));
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

  private ArrangeShipment to(String postalCode) {
    return command(order, postalCode, "GB");
  }

  private ArrangeReturn from(String postalCode) {
    return new ArrangeReturn(
        OutboxMessage.newId(), order, to(postalCode).items(), to(postalCode).address());
  }

  private static ArrangeShipment command(UUID order, String postalCode, String country) {
    return new ArrangeShipment(
        order,
        List.of(new Item("BOOK-42", 2)),
        new Address("Ada Lovelace", "12 St James's Square", "London", postalCode, country));
  }

  private static CallKey key(String customer, String root) {
    return new CallKey(customer, new StepKey(new IdempotencyKey(root), "arrange-shipment"));
  }
}
