package io.onceflow.inbox.internal.call;

import io.onceflow.inbox.internal.call.CallExecutor.Result;
import io.onceflow.inbox.internal.consumer.BatchWorker;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.participant.CommandTransactions;
import io.onceflow.inbox.internal.participant.ResolvedCommand;
import io.onceflow.outbox.internal.UnitOfWork;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jboss.logging.Logger;

/**
 * Writes the results of calls, many in one transaction.
 *
 * @param <S> the business row
 */
public record CallResultWriter<S>(UnitOfWork unitOfWork, CommandTransactions<S> transactions)
    implements BatchWorker.Work<Result<S>> {

  private static final Logger LOG = Logger.getLogger(CallResultWriter.class);

  @Override
  public void settle(List<Result<S>> batch) throws SQLException {
    unitOfWork.run(tx -> transactions.conclude(tx, batch));
  }

  @Override
  public void settled(List<Result<S>> batch) {
    Delivery.release(
        batch.stream().map(result -> result.leased().delivery()).filter(Objects::nonNull).toList());
  }

  @Override
  public void giveUp(Result<S> result, Throwable failure) throws SQLException {
    if (result.leased().delivery() != null) {
      unitOfWork.run(tx -> transactions.store(tx, result.leased()));
      settled(List.of(result));
    }
    ResolvedCommand<?, S> command = result.leased().command();
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
