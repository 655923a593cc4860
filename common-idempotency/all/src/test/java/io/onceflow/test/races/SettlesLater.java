package io.onceflow.test.races;

import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.UnprocessableMessage;
import java.sql.SQLException;
import java.util.List;

/** Rule 2 taken out: says that all is settled, and settles it then. */
record SettlesLater(RacedService.Consumer consumer) implements RacedService.Consumer {

  @Override
  public BatchSettler settler() {
    BatchSettler settler = consumer.settler();
    return new BatchSettler() {
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
    };
  }

  @Override
  public int recover() throws SQLException {
    return consumer.recover();
  }

  @Override
  public int tryAgain() throws SQLException {
    return consumer.tryAgain();
  }

  @Override
  public void close() {
    consumer.close();
  }
}
