package io.onceflow.test.races;

import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.sql.SQLException;
import java.util.List;

/** Rule 2 taken out: says that all is settled, and settles it then. */
record SettlesLater(BatchSettler settler) implements BatchSettler {

  static RacedService.Consumer of(RacedService.Consumer good) {
    return new RacedService.Consumer(
        new SettlesLater(good.settler()), good.recovery(), good.failed(), good.closing());
  }

  @Override
  public void settle(List<Delivery> batch) {
    Thread.startVirtualThread(() -> settleNow(batch));
  }

  private void settleNow(List<Delivery> batch) {
    try {
      settler.settle(batch);
    } catch (SQLException itDied) {
      // And what it had in hand is lost: it was acknowledged.
    }
  }

  @Override
  public void park(Delivery delivery, UnprocessableMessage why) throws SQLException {
    settler.park(delivery, why);
  }

  @Override
  public boolean redrive(Parked parked) throws SQLException {
    return settler.redrive(parked);
  }
}
