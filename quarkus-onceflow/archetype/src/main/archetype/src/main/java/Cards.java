package ${package};

import io.onceflow.participant.Answer;
import io.onceflow.participant.Handles;
import jakarta.enterprise.context.ApplicationScoped;

@ApplicationScoped
public class Cards {

  @Handles
  Answer charge(ChargeCard command) {
    return command.amount() > 1_000
        ? Answer.refused(new CardRefused(command.tripId(), "LIMIT"))
        : Answer.done(new CardCharged(command.tripId()));
  }
}
