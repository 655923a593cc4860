package io.onceflow.quarkus.trip;

import io.onceflow.participant.Answer;
import io.onceflow.participant.Handles;
import io.onceflow.quarkus.trip.Messages.AwardPoints;
import io.onceflow.quarkus.trip.Messages.PointsAwarded;
import io.onceflow.quarkus.trip.Messages.RevokePoints;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/** Decides on accounts of its own, and calls nothing. */
@ApplicationScoped
class Loyalty {

  @Handles
  Answer award(AwardPoints command, Optional<Account> account) {
    if (account.isEmpty()) {
      return Answer.refused();
    }
    account.get().points += command.points();
    return Answer.done(new PointsAwarded(command.accountId(), account.get().points));
  }

  @Handles
  void revoke(RevokePoints command, Optional<Account> account) {
    account.ifPresent(its -> its.points = 0);
  }
}
