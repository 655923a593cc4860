package io.onceflow.inbox.oracle;

import io.onceflow.inbox.Charge;
import io.onceflow.message.Undoes;
import io.onceflow.participant.Answer;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.participant.CallKey;
import io.onceflow.participant.CallsOut;
import io.onceflow.participant.Handles;
import java.util.Optional;
import java.util.UUID;

/** The handlers of both steps. */
final class Payments {

  private Payments() {}

  record TakeMoney(UUID subject) {}

  @Undoes(TakeMoney.class)
  record GiveMoneyBack(UUID subject) {}

  /** The charge, decided about before it is called out for. */
  record Charging(Gateway gateway) {

    @Handles
    Answer take(TakeMoney command, CallKey key) {
      return Answer.callOut(() -> charge(gateway, command, key));
    }
  }

  /** The charge, called out for whatever is known of the step. */
  record ChargingAtOnce(Gateway gateway) {

    @Handles
    @CallsOut
    Answer take(TakeMoney command, CallKey key) throws Exception {
      return charge(gateway, command, key);
    }
  }

  /** The refund. */
  record Refunding(Gateway gateway) {

    @Handles
    Answer giveBack(GiveMoneyBack command, CallKey key, Optional<Charge> charge) {
      return Answer.callOut(
          () -> {
            gateway.call(key.step());
            return charge.map(row -> Answer.done().save(row.refunded())).orElseGet(Answer::done);
          });
    }
  }

  private static Answer charge(Gateway gateway, TakeMoney command, CallKey key) throws Exception {
    return gateway.call(key.step()) == ReplyOutcome.DONE
        ? Answer.done().save(new Charge(command.subject(), 42, Charge.Status.CHARGED, "ch"))
        : Answer.refused();
  }
}
