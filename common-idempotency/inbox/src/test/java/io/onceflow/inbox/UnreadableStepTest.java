package io.onceflow.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.inbox.internal.participant.Participant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One row that cannot be taken over holds up no other. Before: with a token, or a count of
 * attempts, at the end of its type, no step of any type was taken over.
 */
@Timeout(60)
class UnreadableStepTest {

  private final Fixture fixture = new Fixture();
  private final Saga bad = new Saga();
  private final Saga good = new Saga();
  private final Participant participant = fixture.participant();

  @AfterEach
  void close() {
    Saga.PAYMENTS.update("DELETE FROM inbox_message WHERE step_key = ?", bad.takeKey());
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fencing_token = 9223372036854775807",
        "attempts = 2147483647",
        "envelope = '{\"type\": \"TakeMoney\"}'"
      })
  void isSetAsideAndHoldsUpNoOther(String spoilt) throws Exception {
    givenDue(bad);
    Saga.PAYMENTS.update(
        "UPDATE inbox_message SET " + spoilt + " WHERE step_key = ?", bad.takeKey());
    givenDue(good);
    String due = bad.inbox("lease_expires_at", bad.takeKey());

    participant.recover();

    await().untilAsserted(() -> assertThat(good.replies()).containsExactly("MoneyTaken"));
    assertThat(bad.statusOf(bad.takeKey())).isEqualTo("STARTED");
    assertThat(bad.inbox("lease_expires_at > '" + due + "'", bad.takeKey())).isEqualTo("true");
  }

  @Test
  void isTakenOverOnceItIsRepaired() throws Exception {
    givenDue(bad);
    Saga.PAYMENTS.update(
        "UPDATE inbox_message SET fencing_token = 9223372036854775807 WHERE step_key = ?",
        bad.takeKey());
    participant.recover();
    Saga.PAYMENTS.update(
        "UPDATE inbox_message SET fencing_token = 2 WHERE step_key = ?", bad.takeKey());
    bad.endLease(bad.takeKey());

    participant.recover();

    await().untilAsserted(() -> assertThat(bad.replies()).containsExactly("MoneyTaken"));
  }

  /** A step that no owner has: handed over before its call. */
  private void givenDue(Saga saga) throws Exception {
    Participant stopped = fixture.participant();
    stopped.release();
    stopped.settle(List.of(saga.take()));
    stopped.close();
    saga.endLease(saga.takeKey());
  }
}
