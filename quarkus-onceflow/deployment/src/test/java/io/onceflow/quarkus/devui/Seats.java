package io.onceflow.quarkus.devui;

import io.onceflow.participant.Answer;
import io.onceflow.participant.Handles;
import jakarta.enterprise.context.ApplicationScoped;

/** Has a seat on every flight, and a defect. */
@ApplicationScoped
class Seats {

  @Handles
  Answer reserve(ReserveSeat command) {
    if (command.flight().equals("BROKEN")) {
      throw new IllegalStateException("a defect");
    }
    return Answer.done();
  }

  @Handles
  void release(ReleaseSeat command) {
    // There is a seat for each request.
  }
}
