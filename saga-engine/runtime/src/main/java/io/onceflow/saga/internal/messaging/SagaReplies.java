package io.onceflow.saga.internal.messaging;

import io.onceflow.inbox.internal.consumer.InboundMessage;
import io.onceflow.inbox.internal.consumer.MessageReceiver;
import io.onceflow.inbox.internal.consumer.ReceivedMessage;
import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.participant.Answer.UnprocessableMessage;
import io.onceflow.saga.internal.Reply;
import io.onceflow.saga.internal.runtime.DeferredReplies;
import io.onceflow.saga.internal.runtime.LockedSagas;
import io.onceflow.saga.internal.runtime.LockedSagas.Route;
import io.onceflow.saga.internal.runtime.RequiredVersion;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.DeliveredReply;
import io.onceflow.saga.internal.store.ReplyEnvelope;
import io.onceflow.saga.internal.store.RootKey;
import io.onceflow.saga.internal.store.retention.UsedRootKeys;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * Delivers replies to the sagas that they name. The saga decides what a reply means: it is found by
 * the correlation id, its definition says into which record the payload is read.
 *
 * <ul>
 *   <li>A reply to a saga that does not exist is parked.
 *   <li>A reply to a saga that was deleted after its retention changes nothing, as one to a saga
 *       that has ended (rule 7). It is acknowledged.
 *   <li>A reply that does not fit its saga, or that another service sent than the one that was
 *       asked, is parked.
 *   <li>A reply to a saga whose definition or version this replica does not know, or of a type that
 *       this replica does not know as a reply to it, is deferred.
 *   <li>Every other reply is delivered.
 * </ul>
 */
final class SagaReplies implements MessageReceiver {

  private static final Logger LOG = Logger.getLogger(SagaReplies.class);

  private final ReplyReader replies;
  private final SagaRunners sagas;
  private final DeferredReplies deferred;

  SagaReplies(ReplyReader replies, SagaRunners sagas, DeferredReplies deferred) {
    this.replies = replies;
    this.sagas = sagas;
    this.deferred = deferred;
  }

  @Override
  public Reception examine(Transaction tx, List<ReceivedMessage> batch) throws SQLException {
    Set<UUID> ids =
        batch.stream()
            .map(reply -> ReplyReader.sagaId(reply.message()))
            .flatMap(Optional::stream)
            .collect(Collectors.toSet());
    Examined examined = new Examined(tx, sagas.lock(tx, ids));
    for (ReceivedMessage reply : batch) {
      examined.examine(reply);
    }
    return examined;
  }

  private final class Examined implements Reception {

    private final Transaction tx;
    private final LockedSagas locked;
    private final List<Verdict> verdicts = new ArrayList<>();
    private final Map<ReceivedMessage, DeliveredReply> read = new IdentityHashMap<>();
    private final List<Deferral> deferrals = new ArrayList<>();

    private record Deferral(ReceivedMessage reply, RequiredVersion waitsFor) {}

    private Examined(Transaction tx, LockedSagas locked) {
      this.tx = tx;
      this.locked = locked;
    }

    private void examine(ReceivedMessage reply) throws SQLException {
      try {
        verdicts.add(verdict(reply));
      } catch (UnprocessableMessage why) {
        verdicts.add(new Verdict.Park(why));
      }
    }

    private Verdict verdict(ReceivedMessage reply) throws SQLException {
      InboundMessage message = reply.message();
      UUID saga = ReplyReader.sagaId(message).orElseThrow(() -> replies.namesNoSaga(message));
      ReplyEnvelope envelope = envelope(reply);
      return switch (locked.route(saga, message.type(), message.outcome(), envelope)) {
        case Route.NoSaga none -> noSaga(message);
        case Route.Mismatch mismatch -> {
          replies.expectReadable(message);
          throw mismatch(message, mismatch.why());
        }
        case Route.NotKnown notKnown -> {
          deferrals.add(new Deferral(reply, notKnown.waitsFor()));
          yield new Verdict.SetAside();
        }
        case Route.Known known ->
            take(saga, reply, envelope, replies.read(message, known.type(), known.step()));
        case Route.ByOutcome unmapped -> take(saga, reply, envelope, replies.readOutcome(message));
      };
    }

    private Verdict noSaga(InboundMessage reply) throws SQLException {
      RootKey key = new RootKey(reply.scope(), reply.rootKey().value());
      if (!UsedRootKeys.isOfDeleted(tx.connection(), key)) {
        throw replies.sagaNotThere(reply);
      }
      LOG.infof(
          "ignored %s: saga %s was deleted after its retention",
          reply.type(), reply.correlationId());
      return new Verdict.SetAside();
    }

    private Verdict take(UUID saga, ReceivedMessage received, ReplyEnvelope envelope, Reply reply) {
      DeliveredReply delivered = new DeliveredReply(saga, reply, envelope.answeredStep());
      locked
          .objection(delivered, envelope)
          .ifPresent(
              why -> {
                throw mismatch(received.message(), why);
              });
      read.put(received, delivered);
      // A reply that does not end its step may come more than once, and the one that ends it is yet
      // to come under its key.
      return reply.saysPending() || !locked.isEndedBy(delivered)
          ? new Verdict.TakeEachTime()
          : new Verdict.Take(
              ReplyReader.recordedAs(reply, delivered.step()), locked.awaits(delivered));
    }

    @Override
    public List<Verdict> verdicts() {
      return verdicts;
    }

    @Override
    public void apply(List<ReceivedMessage> fresh) throws SQLException {
      for (Deferral deferral : deferrals) {
        deferred.defer(tx, deferral.reply().delivery(), deferral.waitsFor());
      }
      locked.deliver(fresh.stream().map(read::get).toList());
    }
  }

  private static ReplyEnvelope envelope(ReceivedMessage reply) {
    InboundMessage message = reply.message();
    return new ReplyEnvelope(
        reply.routingKey(),
        message.scope(),
        message.rootKey().value(),
        message.origin(),
        message.step());
  }

  private static UnprocessableMessage mismatch(InboundMessage reply, String why) {
    return new UnprocessableMessage(
        ParkingReason.REPLY_MISMATCH,
        "%s does not fit saga %s: %s; it may be forged"
            .formatted(reply.type(), reply.correlationId(), why));
  }
}
