package io.onceflow.simulated;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A system whose effects cost money. */
class SystemWithAmountsTest extends SimulatedSystemLaws {

  private static final LedgerNames NAMES =
      new LedgerNames("bank", "CHARGE", "REFUND", "reference", true);

  SystemWithAmountsTest() {
    super(NAMES);
  }

  @Override
  SimulatedEffect effect(UUID orderId) {
    return new SimulatedEffect(orderId, "ch_" + UUID.randomUUID(), 2500, "EUR");
  }

  @ParameterizedTest
  @CsvSource({"1, EUR", "2500, USD"})
  void refusesAKeyForAnotherAmount(long amount, String currency) throws Exception {
    SimulatedSystem bank =
        new SimulatedSystem("bank", new SimulatedLedger(DATABASE, NAMES), Duration.ZERO);
    EffectKey key = new EffectKey("alice", UUID.randomUUID().toString());
    UUID order = UUID.randomUUID();
    bank.book(key, effect(order), Behaviour.ANSWERS);

    SimulatedEffect other = new SimulatedEffect(order, "ch_other", amount, currency);
    assertThatThrownBy(() -> bank.book(key, other, Behaviour.ANSWERS))
        .isInstanceOf(KeyReused.class);
  }
}
