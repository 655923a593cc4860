package io.onceflow.test.races;

import io.onceflow.message.Undoes;
import io.onceflow.participant.Answer;
import io.onceflow.participant.Answer.Rejection;
import io.onceflow.participant.CallKey;
import io.onceflow.participant.CallsOut;
import io.onceflow.participant.Handles;
import io.onceflow.participant.Handles.FallbackReply;
import java.util.Optional;
import java.util.UUID;

/**
 * The kit's own handlers.
 *
 * @param bank where coins are put in
 * @param doubts whether a compensation asks the bank about an action of which it does not know
 *     whether it was done (rule 8)
 */
record Slot(Bank bank, boolean doubts) {

  record PutIn(UUID subject) {}

  @Undoes(PutIn.class)
  record GiveBack(UUID subject) {}

  /** The reply to who put a coin in. */
  record CoinTaken(UUID subject, UUID receipt) {}

  record CoinRefused(UUID subject, Rejection why) {}

  record CoinGivenBack(UUID subject, int coins) {}

  /** Step {@code put-in}. */
  @Handles
  @CallsOut
  Answer putIn(PutIn command, CallKey key) {
    bank.enter(command.subject(), key.stepKey(), "IN");
    return Answer.done(new CoinTaken(command.subject(), UUID.randomUUID()))
        .save(new Coin(command.subject(), "IN"));
  }

  @FallbackReply
  CoinRefused notPutIn(PutIn command, Rejection why) {
    return new CoinRefused(command.subject(), why);
  }

  /** Step {@code give-back}, which undoes {@code put-in}. */
  @Handles
  Answer giveBack(GiveBack command, CallKey key, Optional<Coin> coin) {
    boolean isIn = coin.map(Coin::isIn).orElse(doubts && bank.has(command.subject(), "IN"));
    return isIn ? Answer.callOut(() -> givenBack(command, key)) : Answer.done(nothing(command));
  }

  private Answer givenBack(GiveBack command, CallKey key) {
    bank.enter(command.subject(), key.stepKey(), "BACK");
    return Answer.done(new CoinGivenBack(command.subject(), 1))
        .save(new Coin(command.subject(), "BACK"));
  }

  @FallbackReply
  CoinGivenBack nothing(GiveBack command) {
    return new CoinGivenBack(command.subject(), 0);
  }
}
