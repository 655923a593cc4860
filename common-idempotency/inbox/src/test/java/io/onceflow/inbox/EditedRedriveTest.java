package io.onceflow.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.inbox.internal.parking.RedriveCheck;
import io.onceflow.inbox.internal.parking.RedriveCheck.Operator;
import io.onceflow.inbox.internal.parking.RedriveResult;
import io.onceflow.inbox.internal.parking.RedriveResult.Outcome;
import io.onceflow.inbox.internal.parking.RedriveService;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rule 13 for messages that an operator has edited. */
@Timeout(60)
class EditedRedriveTest extends RedriveFixture {

  private static final Operator OTTO = new Operator("otto", "another-token");

  @Test
  void carriesOutWhatAnOperatorMadeOfIt() throws Exception {
    UUID id = park(saga.command("TakeMoney", "{"));
    String mended = new String(saga.take(Handlers.DECLINED).body(), UTF_8);

    assertThat(parked.edit(id, mended, "olga", "it was cut off")).isTrue();
    assertThat(parked.find(id).orElseThrow().originalPayload()).isEqualTo("{");
    assertThat(redrive(id).outcome()).isEqualTo(Outcome.REDRIVEN);

    assertThat(saga.replies()).containsExactly("MoneyDeclined");
    assertThat(parked.edit(id, mended, "olga", "again")).isFalse();
    assertThat(audited(id)).startsWith("olga edit null", "olga redrive null");
  }

  @Test
  void hasAnotherOperatorRedriveWhatOneHasEdited() throws Exception {
    UUID id = park(saga.command("TakeMoney", "{"));
    String mended = new String(saga.take(Handlers.DECLINED).body(), UTF_8);
    RedriveService strict = redrivingEditsAbove(mended.length() - 1);
    parked.edit(id, mended, "olga", "it was cut off");

    RedriveResult alone = strict.redrive(id, OLGA);
    assertThat(alone.outcome()).isEqualTo(Outcome.SECOND_OPERATOR_NEEDED);
    assertThat(alone.detail()).contains("olga", "onceflow.inbox.edits.second-operator.above");
    assertThat(saga.replies()).isEmpty();

    assertThat(strict.redrive(id, OTTO).outcome()).isEqualTo(Outcome.REDRIVEN);
    assertThat(saga.replies()).containsExactly("MoneyDeclined");
    assertThat(audited(id)).contains("olga redrive-outcome second-operator-needed");
  }

  @Test
  void hasOneOperatorRedriveASmallEditAndWhatWasNotEdited() throws Exception {
    UUID small = park(saga.command("TakeMoney", "{"));
    String mended = new String(saga.take(Handlers.DECLINED).body(), UTF_8);
    parked.edit(small, mended, "olga", "it was cut off");

    assertThat(redrivingEditsAbove(mended.length()).redrive(small, OLGA).outcome())
        .isEqualTo(Outcome.REDRIVEN);
    assertThat(redrivingEditsAbove(0).redrive(park(new Saga().take()), OLGA).outcome())
        .isEqualTo(Outcome.REDRIVEN);
  }

  /** Or it would take effect unseen. */
  @Test
  void leavesWhatIsEditedWhileItIsRedriven() throws Exception {
    UUID id = park(saga.take());
    RedriveCheck editing =
        (message, operator) -> {
          parked.edit(id, "{\"other\": true}", "otto", "meanwhile");
          return Optional.empty();
        };

    assertThat(redrive(id, editing).outcome()).isEqualTo(Outcome.EDITED_MEANWHILE);

    assertThat(saga.statusOf(saga.takeKey())).isNull();
    assertThat(parked.find(id).orElseThrow().editedBy()).isEqualTo("otto");
  }

  /** Attempts that are made by themselves are for messages as they came. */
  @Test
  void leavesWhatWasEditedToOperators() throws Exception {
    UUID id = park(saga.take());
    Saga.PAYMENTS.update("UPDATE parked_message SET next_attempt_at = now() WHERE id = ?", id);

    parked.edit(id, "{", "olga", "a try");

    assertThat(parked.find(id).orElseThrow().nextAttemptAt()).isNull();
  }

  private RedriveService redrivingEditsAbove(int bytes) {
    return new RedriveService(
        participant,
        parked,
        (message, operator) -> Optional.empty(),
        TestConfig.inbox(Map.of("edits.second-operator.above", bytes)));
  }
}
