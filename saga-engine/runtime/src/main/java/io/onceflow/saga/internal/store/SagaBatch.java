package io.onceflow.saga.internal.store;

import static java.time.temporal.ChronoUnit.MICROS;

import io.onceflow.saga.internal.engine.ReplyStanding;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Sagas that are locked with their subjects, to be moved by replies and then written together. Ends
 * with the transaction that it was opened in.
 *
 * @param <D> the subject
 */
public final class SagaBatch<D> {

  private final Map<UUID, SagaExecution<D>> moving;
  private final Writer<D> writer;

  /** Writes what became of sagas. */
  @FunctionalInterface
  interface Writer<D> {
    void write(Collection<SagaExecution<D>> moved) throws SQLException;
  }

  SagaBatch(Map<UUID, SagaExecution<D>> moving, Writer<D> writer) {
    this.moving = moving;
    this.writer = writer;
  }

  /** Whether a saga can be moved here. */
  public boolean has(UUID sagaId) {
    return moving.containsKey(sagaId);
  }

  /**
   * Why a reply is not accepted: another service than the participant of the step sent it, or it
   * does not fit the saga. Changes nothing.
   *
   * @return empty when the reply is to be delivered
   */
  public Optional<String> objection(
      DeliveredReply reply, ReplyEnvelope envelope, ReplyPolicy policy) {
    return saga(reply).objection(reply.reply(), envelope, policy);
  }

  /** What a reply is to its saga, as the replies that were delivered before have left it. */
  public ReplyStanding standing(DeliveredReply reply) {
    return saga(reply).standing(reply);
  }

  /**
   * Applies a reply to its saga; {@link #write} stores the result. One that is not {@link
   * ReplyStanding#NEW} changes nothing.
   *
   * @return whether the saga was moved by it; else it did not wait for this reply
   */
  public boolean deliver(DeliveredReply reply, Instant now) {
    return saga(reply).reply(reply, now.truncatedTo(MICROS));
  }

  /** Stores the changes of all sagas of the batch, and sends their commands. */
  public void write() throws SQLException {
    writer.write(moving.values());
  }

  private SagaExecution<D> saga(DeliveredReply reply) {
    SagaExecution<D> saga = moving.get(reply.sagaId());
    if (saga == null) {
      throw new IllegalArgumentException("saga " + reply.sagaId() + " is not in this batch");
    }
    return saga;
  }
}
