package io.onceflow.saga.internal.runtime;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.saga.internal.engine.ReplyStanding;
import io.onceflow.saga.internal.store.DeliveredReply;
import io.onceflow.saga.internal.store.ReplyEnvelope;
import io.onceflow.saga.internal.store.ReplyPolicy;
import io.onceflow.saga.internal.store.SagaBatch;
import io.onceflow.saga.internal.store.StoredSaga;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The sagas that a batch of replies names, of all definitions, locked until the transaction ends.
 */
public final class LockedSagas {

  /** The AMQP type under which the product answers for a compensation that returns nothing. */
  private static final String PRODUCT_DONE = "StepDone";

  private final ReplyPolicy policy;
  private final Instant now;
  private final Map<UUID, Entry> sagas = new HashMap<>();
  private final List<SagaBatch<?>> batches = new ArrayList<>();

  /**
   * @param runner null where the saga's definition or version is not known here
   */
  private record Entry(
      StoredSaga saga, @Nullable SagaRunner<?> runner, @Nullable SagaBatch<?> batch) {}

  /** Where a reply leads. */
  public sealed interface Route {

    /** No saga has the id that it names. */
    record NoSaga() implements Route {}

    /** It is not believed. */
    record Mismatch(String why) implements Route {}

    /** This replica does not know the reply's type or the saga's version; another replica may. */
    record NotKnown(RequiredVersion waitsFor) implements Route {}

    /**
     * It can be read.
     *
     * @param type the record that its payload is read into
     * @param step that it answers; null where the record does not say
     */
    record Known(Class<?> type, @Nullable String step) implements Route {}

    /** Its outcome is all that the saga needs. */
    record ByOutcome() implements Route {}
  }

  LockedSagas(ReplyPolicy policy, Instant now) {
    this.policy = policy;
    this.now = now;
  }

  /** Adds the sagas that a runner knows. */
  void add(Transaction tx, SagaRunner<?> runner, List<StoredSaga> its) throws SQLException {
    SagaBatch<?> batch = runner.batch(tx, its);
    batches.add(batch);
    its.forEach(saga -> sagas.put(saga.reached().id(), new Entry(saga, runner, batch)));
  }

  /** Adds a saga that no runner knows. */
  void addUnknown(StoredSaga saga) {
    sagas.putIfAbsent(saga.reached().id(), new Entry(saga, null, null));
  }

  /**
   * How a reply is handled, decided from its envelope alone.
   *
   * @param type the AMQP type
   * @param outcome null where the reply does not say, which is a mismatch
   */
  public Route route(
      UUID sagaId, String type, @Nullable ReplyOutcome outcome, ReplyEnvelope envelope) {
    Entry entry = sagas.get(sagaId);
    if (entry == null) {
      return new Route.NoSaga();
    }
    Optional<String> objection = envelope.objection(entry.saga().origin());
    if (objection.isPresent()) {
      return new Route.Mismatch(objection.get());
    }
    if (outcome == null) {
      return new Route.Mismatch("it does not name its outcome");
    }
    SagaRunner<?> runner = entry.runner();
    return runner == null
        ? notKnown(entry.saga())
        : route(runner, entry.saga(), type, outcome, envelope.answeredStep());
  }

  private static Route route(
      SagaRunner<?> runner, StoredSaga saga, String type, ReplyOutcome outcome, String step) {
    Class<?> record = runner.replies().get(type);
    if (record != null) {
      return new Route.Known(
          record, runner.stepAnsweredBy(saga.reached(), record, step).orElse(null));
    }
    boolean says =
        switch (outcome) {
          case REFUSED, CANCELLED, EXPIRED, UNAVAILABLE, PENDING -> true;
          case DONE -> type.equals(PRODUCT_DONE) || runner.takesAnySuccess(saga.reached(), step);
        };
    return says ? new Route.ByOutcome() : notKnown(saga);
  }

  private static Route notKnown(StoredSaga saga) {
    return new Route.NotKnown(
        new RequiredVersion(
            saga.reached().id(), saga.reached().definition(), saga.reached().version()));
  }

  /** Why a readable reply is not accepted; empty when it is. */
  public Optional<String> objection(DeliveredReply reply, ReplyEnvelope envelope) {
    return batch(reply).objection(reply, envelope, policy);
  }

  /** What a reply is to its saga, as the replies that were delivered before have left it. */
  public ReplyStanding standing(DeliveredReply reply) {
    return batch(reply).standing(reply);
  }

  /** Delivers a reply that meets no objection; {@link #write} stores what comes of it. */
  public void deliver(DeliveredReply reply) {
    batch(reply).deliver(reply, now);
  }

  /** Stores the changes of all sagas, and sends their commands. */
  public void write() throws SQLException {
    for (SagaBatch<?> batch : batches) {
      batch.write();
    }
  }

  private SagaBatch<?> batch(DeliveredReply reply) {
    Entry entry = sagas.get(reply.sagaId());
    SagaBatch<?> batch = entry == null ? null : entry.batch();
    if (batch == null) {
      throw new IllegalArgumentException("saga " + reply.sagaId() + " is not known here");
    }
    return batch;
  }
}
