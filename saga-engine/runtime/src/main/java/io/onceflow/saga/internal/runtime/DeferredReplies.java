package io.onceflow.saga.internal.runtime;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.parking.DeferredMessages;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.internal.UnitOfWork;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Replies that the replica which received them did not know, stored for a replica that does. A
 * replica looks only at those that it knows, so one that does not know them costs nothing.
 */
@ApplicationScoped
public class DeferredReplies implements DeferredMessages.Store {

  private static final Logger LOG = Logger.getLogger(DeferredReplies.class);

  private final DeferredReplyTable table;
  private final DeferredReplyTable.Known known;
  private final UnitOfWork unitOfWork;
  private final SagaConfig config;
  private final MeterRegistry metrics;

  /**
   * How many replies are deferred.
   *
   * @param waiting counted up to a bound
   * @param oldestSeconds how long the oldest of them has been; 0 when there is none
   */
  public record Backlog(long waiting, double oldestSeconds) {}

  DeferredReplies(
      SagaRunners sagas,
      UnitOfWork unitOfWork,
      SagaConfig config,
      ObjectMapper json,
      MeterRegistry metrics) {
    this.table = new DeferredReplyTable(json);
    this.known =
        new DeferredReplyTable.Known(
            sagas.all().stream().flatMap(runner -> runner.kinds().stream()).toList(),
            sagas.definitions(),
            sagas.all().stream().flatMap(runner -> runner.anySuccesses().stream()).toList());
    this.unitOfWork = unitOfWork;
    this.config = config;
    this.metrics = metrics;
  }

  /** Stores a reply in the transaction after which it is acknowledged. */
  public void defer(Transaction tx, Delivery reply, RequiredVersion waitsFor) throws SQLException {
    table.insert(tx.connection(), reply, waitsFor);
    tx.afterCommit(() -> tell(reply, waitsFor));
  }

  private void tell(Delivery reply, RequiredVersion waitsFor) {
    metrics.counter("onceflow.replies.deferred").increment();
    LOG.infof(
        "deferred %s for a replica that knows it as a reply to %s v%s, which saga %s follows",
        reply, waitsFor.definition(), waitsFor.version(), waitsFor.sagaId());
  }

  /** The newest first, those before {@code before} only unless that is null. */
  public List<DeferredReply> newest(@Nullable UUID before, int limit) throws SQLException {
    return unitOfWork.call(tx -> table.newest(tx.connection(), before, limit));
  }

  /** How many there are, and for how long. */
  public Backlog backlog(int most) throws SQLException {
    return unitOfWork.call(tx -> table.backlog(tx.connection(), most));
  }

  @Override
  public List<UUID> known(int most) throws SQLException {
    return unitOfWork.call(tx -> table.known(tx.connection(), known, most));
  }

  @Override
  public List<UUID> expired(int most) throws SQLException {
    return unitOfWork.call(tx -> table.expired(tx.connection(), config.replies().deferFor(), most));
  }

  @Override
  public Optional<Delivery> take(Transaction tx, UUID id) throws SQLException {
    return table.take(tx.connection(), id);
  }

  @Override
  public void count(String outcome) {
    metrics.counter("onceflow.replies.deferred.ended", "outcome", outcome).increment();
  }
}
