package io.onceflow.inbox;

import io.onceflow.inbox.CallOuts.Result;
import io.onceflow.outbox.UnitOfWork;
import java.sql.SQLException;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Writes down what calls came to, many in one transaction.
 *
 * @param <S> the business row
 */
record ResultWork<S>(UnitOfWork unitOfWork, CommandTransactions<S> settlement)
    implements BatchWorker.Work<Result<S>> {

  private static final Logger LOG = Logger.getLogger(ResultWork.class);

  @Override
  public void settle(List<Result<S>> batch) throws SQLException {
    unitOfWork.call(
        tx -> {
          settlement.conclude(tx, batch);
          return null;
        });
  }

  @Override
  public void settled(List<Result<S>> batch) {
    // The replies are in the outbox; nobody else waits.
  }

  @Override
  public void giveUp(Result<S> result, Throwable failure) {
    Command<?, S> command = result.owned().command();
    command
        .about()
        .run(
            () ->
                LOG.errorf(
                    failure,
                    "the result of %s could not be written; it is called again when its lease"
                        + " ends",
                    command));
  }
}
