package io.onceflow.reconciliation;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.participant.CallKey;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What an entry's evidence tells of who has asked for it. */
class BookEntryTest {

  private static final UUID ORDER = UUID.fromString("0199c3a4-5f10-7c3e-9a51-3b2f6d8e4a01");

  @Test
  void hasTheFirstIdOfItsEvidence() {
    Map<String, String> evidence = Map.of("reference", ORDER.toString(), "note", "by hand");

    assertThat(entry(evidence).id("orderId", "reference")).contains(ORDER);
    assertThat(entry(evidence).id("note", "reference")).contains(ORDER);
    assertThat(entry(evidence).id("orderId")).isEmpty();
  }

  /** {@link UUID#fromString} reads it. */
  @Test
  void hasNoIdWhereOneIsCutOff() {
    assertThat(entry(Map.of("orderId", "1-2-3-4-5")).id("orderId")).isEmpty();
  }

  @Test
  void hasTheKeyUnderWhichItsStepHasCalled() {
    CallKey charge = CallKey.of("alice", "k-1:process-payment@order-service/place-order");

    assertThat(
            entry(Map.of("customer", charge.scope(), "idempotencyKey", charge.stepKey())).callKey())
        .contains(charge);
  }

  @Test
  void hasNoKeyWhereNoStepHasCalled() {
    assertThat(entry(Map.of("customer", "alice", "idempotencyKey", "by hand")).callKey()).isEmpty();
    assertThat(entry(Map.of("idempotencyKey", "k-1:process-payment")).callKey()).isEmpty();
    assertThat(entry(Map.of("customer", "alice")).callKey()).isEmpty();
  }

  private static BookEntry entry(Map<String, String> evidence) {
    Instant at = Instant.EPOCH;
    return new BookEntry("ch_1", "CHARGED", 700L, "EUR", at, at, null, evidence);
  }
}
