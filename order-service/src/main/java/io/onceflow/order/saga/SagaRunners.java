package io.onceflow.order.saga;

import io.onceflow.inbox.CannotHandle;
import io.onceflow.outbox.Transaction;
import io.onceflow.saga.SagaEvent;
import io.onceflow.saga.store.DeliveredReply;
import io.onceflow.saga.store.KnownVersions;
import io.onceflow.saga.store.OperatorAnswer;
import io.onceflow.saga.store.SagaVersionUnknown;
import io.onceflow.saga.store.SagaView;
import io.quarkus.arc.All;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

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

  /** A saga of whatever definition, for showing it; empty if there is none of this id. */
  public Optional<SagaView> view(Transaction tx, UUID sagaId) throws SQLException {
    for (SagaRunner runner : runners) {
      Optional<SagaView> view = runner.view(tx, sagaId);
      if (view.isPresent()) {
        return view;
      }
    }
    return Optional.empty();
  }

  /** Does what an operator asks of a saga, unless that makes no sense. */
  public OperatorAnswer request(Transaction tx, UUID sagaId, SagaEvent.Request request)
      throws SQLException {
    return whoever(runner -> runner.request(tx, sagaId, request));
  }

  /** What {@link #request} would answer now; changes nothing. */
  public OperatorAnswer foresee(Transaction tx, UUID sagaId, SagaEvent.Request request)
      throws SQLException {
    return whoever(runner -> runner.foresee(tx, sagaId, request));
  }

  /**
   * Checks that these definitions are all that sagas follow.
   *
   * @throws SagaVersionUnknown if not: then the service must not start
   */
  public void checkVersions(Transaction tx) throws SQLException {
    new KnownVersions(runners.stream().flatMap(it -> it.versions().stream()).toList())
        .check(tx.connection());
  }

  /** The answer of the one that knows the saga. */
  private OperatorAnswer whoever(Asked asked) throws SQLException {
    OperatorAnswer answer = new OperatorAnswer.Unknown();
    for (SagaRunner runner : runners) {
      if (answer instanceof OperatorAnswer.Unknown) {
        answer = asked.of(runner);
      }
    }
    return answer;
  }

  private interface Asked {
    OperatorAnswer of(SagaRunner runner) throws SQLException;
  }
}
