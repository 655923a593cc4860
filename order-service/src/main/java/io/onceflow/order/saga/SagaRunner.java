package io.onceflow.order.saga;

import io.onceflow.inbox.CannotHandle;
import io.onceflow.inbox.ParkingReason;
import io.onceflow.inbox.Trouble;
import io.onceflow.outbox.Transaction;
import io.onceflow.saga.Reply;
import io.onceflow.saga.RetryPolicy;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaEvent;
import io.onceflow.saga.SagaState;
import io.onceflow.saga.store.DeliveredReply;
import io.onceflow.saga.store.Delivery;
import io.onceflow.saga.store.FailingSagas;
import io.onceflow.saga.store.FailurePolicy;
import io.onceflow.saga.store.OpenSagas;
import io.onceflow.saga.store.OperatorAnswer;
import io.onceflow.saga.store.SagaView;
import io.onceflow.saga.store.Sagas;
import io.onceflow.tracing.About;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The sagas of one definition, for those who treat all sagas alike: replies, timers, operators. */
public abstract class SagaRunner {

  /** Together with a definition's name it is an origin, of which participants keep 255 bytes. */
  private static final String APPLICATION = "[!-9;-~]{0,190}";

  private final Clock clock;
  private final RetryPolicy patience;
  private final FailurePolicy failures;
  private final String application;

  /**
   * @param application the orchestrator's name; empty where sagas name no origin
   */
  SagaRunner(Clock clock, RetryPolicy patience, FailurePolicy failures, String application) {
    this.clock = clock;
    this.patience = patience;
    this.failures = failures;
    this.application = sendable(application);
  }

  private static String sendable(String application) {
    if (!application.matches(APPLICATION)) {
      throw new IllegalStateException(
          "quarkus.application.name is \"%s\", which does not match %s; it travels with every"
                  .formatted(application, APPLICATION)
              + " command as the beginning of the saga's origin, so rename the application");
    }
    return application;
  }

  /** The definition in every version that sagas may still follow. */
  abstract List<? extends SagaDefinition<?>> versions();

  /** The definition's name, such as {@code place-order}. */
  public String definition() {
    return versions().getFirst().name();
  }

  /** The replies that sagas of this definition get; none of them goes to another definition's. */
  abstract Class<? extends ParticipantReply> replies();

  /** The engine's shell, at work in this transaction. */
  abstract Sagas<?> sagas(Transaction tx);

  /** Business time. */
  Instant now() {
    return clock.instant();
  }

  /** How patiently these sagas send again. */
  RetryPolicy patience() {
    return patience;
  }

  /** The origin of new sagas, such as {@code order-service/place-order}; empty for none. */
  String origin() {
    return application.isEmpty() ? "" : application + "/" + definition();
  }

  /** Whether this is a reply to one of these sagas, by its type. */
  boolean takes(Reply reply) {
    return replies().isInstance(reply);
  }

  /**
   * Delivers replies, several to one saga in their order.
   *
   * @throws CannotHandle when one of them answers a saga that does not exist here
   */
  void deliver(Transaction tx, List<DeliveredReply> replies) throws SQLException {
    for (Delivery delivery : sagas(tx).deliver(tx.connection(), replies, now())) {
      switch (delivery.outcome()) {
        case MOVED, IGNORED -> {}
        case UNKNOWN_SAGA, UNKNOWN_DEFINITION -> throw unknown(delivery.reply());
      }
    }
  }

  /**
   * Sends again what was not answered in time.
   *
   * @param limit how many sagas at most; as many in the answer means that more may be due
   */
  public Swept fireDue(Transaction tx, int limit) throws SQLException {
    return swept(tx, sagas(tx).fireDue(tx.connection(), limit));
  }

  /** The same for some that are due. */
  public Swept fireDue(Transaction tx, Set<UUID> some) throws SQLException {
    return swept(tx, sagas(tx).fireDue(tx.connection(), some));
  }

  private static Swept swept(Transaction tx, List<SagaState> due) throws SQLException {
    return new Swept(due.size(), OpenSagas.becameStuck(tx.connection(), due));
  }

  /** The ids of those that are due; reads nothing of them that could be wrong. */
  public List<UUID> due(Transaction tx, int limit) throws SQLException {
    return sagas(tx).due(tx.connection(), limit);
  }

  /**
   * Counts a failure of a saga that is due, and puts it off or in quarantine.
   *
   * @return empty when another process was faster
   */
  public Optional<FailingSagas.Counted> countFailure(Transaction tx, UUID saga, Throwable failure)
      throws SQLException {
    return FailingSagas.count(tx.connection(), saga, failure, failures);
  }

  /**
   * What a look at the timers came to.
   *
   * @param due how many sagas were due
   * @param stuck those of them that became stuck
   */
  public record Swept(int due, List<OpenSagas.Stuck> stuck) {}

  /** What log lines about a saga that is stuck are about. */
  public About about(Transaction tx, OpenSagas.Stuck stuck) throws SQLException {
    return sagas(tx)
        .origin(tx.connection(), stuck.id())
        .map(it -> About.saga(stuck.id(), it.subjectId(), stuck.steps(), it.traceparent()))
        .orElseGet(() -> About.saga(stuck.id(), null, stuck.steps(), null));
  }

  /** A saga, for showing it; empty if none of this definition has this id. */
  public Optional<SagaView> view(Transaction tx, UUID sagaId) throws SQLException {
    return sagas(tx).view(tx.connection(), sagaId);
  }

  /**
   * Does what an operator asks of a saga, unless that makes no sense.
   *
   * @throws SagaFailed when handling the saga fails; the transaction must not commit then
   */
  public OperatorAnswer request(Transaction tx, UUID sagaId, SagaEvent.Request request)
      throws SQLException {
    try {
      return sagas(tx).request(tx.connection(), sagaId, request, now());
    } catch (RuntimeException | Error e) {
      if (Trouble.of(e) == Trouble.OTHER) {
        throw new SagaFailed(sagaId, e);
      }
      throw e;
    }
  }

  /** What {@link #request} would answer now; changes nothing. */
  public OperatorAnswer foresee(Transaction tx, UUID sagaId, SagaEvent.Request request)
      throws SQLException {
    return sagas(tx).foresee(tx.connection(), sagaId, request);
  }

  private CannotHandle unknown(DeliveredReply reply) {
    return new CannotHandle(
        ParkingReason.UNKNOWN_SAGA,
        "%s answers saga %s, which is not known here as one of %s"
            .formatted(reply.reply().type(), reply.sagaId(), definition()));
  }
}
