package io.onceflow.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A system whose ledger is in memory. */
class SystemInMemoryTest extends SimulatedSystemLaws {

  private static final LedgerNames NAMES =
      new LedgerNames("none", "CHARGE", "REFUND", "reference", true);

  SystemInMemoryTest() {
    super(NAMES, SimulatedLedger.inMemory(NAMES));
  }

  @Override
  SimulatedEffect effect(UUID orderId) {
    return new SimulatedEffect(orderId, "ch_" + UUID.randomUUID(), 2500, "EUR");
  }

  @Test
  void forgetsTheOldestOrdersWhereThereAreTooMany() {
    RowsInMemory rows = new RowsInMemory(NAMES, 2);
    LedgerRow oldest = insert(rows);
    LedgerRow second = insert(rows);
    LedgerRow newest = insert(rows);

    assertThat(rows.standing(oldest.key())).isEmpty();
    assertThat(rows.ofOrder(oldest.effect().orderId())).isEmpty();
    assertThat(rows.standing(second.key())).contains(second);
    assertThat(rows.standing(newest.key())).contains(newest);
  }

  private LedgerRow insert(RowsInMemory rows) {
    LedgerRow row =
        new LedgerRow(
            new EffectKey("alice", UUID.randomUUID().toString()),
            NAMES.action(),
            effect(UUID.randomUUID()));
    assertThat(rows.insert(row)).isTrue();
    return row;
  }
}
