package io.onceflow.order.saga;

import io.onceflow.inbox.CannotHandle;
import io.onceflow.outbox.Transaction;
import io.onceflow.saga.store.DeliveredReply;
import io.quarkus.arc.All;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.util.List;

/** All sagas that run in this service, whatever they are about. */
@ApplicationScoped
public class SagaRunners {

  private final List<SagaRunner> runners;

  SagaRunners(@All List<SagaRunner> runners) {
    this.runners = List.copyOf(runners);
  }

  /** One per definition. */
  public List<SagaRunner> all() {
    return runners;
  }

  /**
   * Delivers replies, each to the sagas that such replies are for; several to one saga in their
   * order.
   *
   * @throws CannotHandle when one of them answers a saga that does not exist
   */
  public void deliver(Transaction tx, List<DeliveredReply> replies) throws SQLException {
    for (SagaRunner runner : runners) {
      List<DeliveredReply> its = replies.stream().filter(it -> runner.takes(it.reply())).toList();
      if (!its.isEmpty()) {
        runner.deliver(tx, its);
      }
    }
  }
}
