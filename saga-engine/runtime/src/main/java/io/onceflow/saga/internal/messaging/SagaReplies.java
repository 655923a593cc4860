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
import java.util.List;
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
 *   <li>Every other reply is delivered. The saga's step remembers it: a copy changes nothing, and
 *       another answer to the step is parked. The inbox has no row of it.
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
    private final List<Deferral> deferrals = new ArrayList<>();

    private record Deferral(ReceivedMessage reply, RequiredVersion waitsFor) {}

    private Examined(Transaction tx, LockedSagas locked) {
      this.tx = tx;
      this.locked = locked;
    }

    /** What a definition's function throws is not caught: it may have changed its subject. */
    private void examine(ReceivedMessage reply) throws SQLException {
      Optional<DeliveredReply> accepted;
      try {
        accepted = accepted(reply);
      } catch (UnprocessableMessage why) {
        verdicts.add(new Verdict.Park(why));
        return;
      }
      verdicts.add(accepted.map(this::verdict).orElseGet(Verdict.Handled::new));
    }

    private Verdict verdict(DeliveredReply reply) {
      return switch (locked.standing(reply)) {
        case NEW -> {
          locked.deliver(reply);
          yield new Verdict.Handled();
        }
        case REPEATED -> new Verdict.Repeated();
        case UNASKED -> {
          LOG.infof(
              "ignored %s: saga %s has not sent %s",
              reply.reply().type(), reply.sagaId(), reply.step());
          yield new Verdict.Handled();
        }
        case CONTRADICTS ->
            new Verdict.Park(
                new UnprocessableMessage(
                    ParkingReason.FINGERPRINT_MISMATCH,
                    "%s is not what saga %s was answered to %s before; the first answer stands"
                        .formatted(reply.reply().type(), reply.sagaId(), reply.step())));
      };
    }

    /** The reply to be delivered; empty where it is deferred, or its saga was deleted. */
    private Optional<DeliveredReply> accepted(ReceivedMessage reply) throws SQLException {
      InboundMessage message = reply.message();
      UUID saga = ReplyReader.sagaId(message).orElseThrow(() -> replies.namesNoSaga(message));
      ReplyEnvelope envelope = envelope(reply);
      return switch (locked.route(saga, message.type(), message.outcome(), envelope)) {
        case Route.NoSaga none -> {
          expectDeleted(message);
          yield Optional.empty();
        }
        case Route.Mismatch mismatch -> {
          replies.expectReadable(message);
          throw mismatch(message, mismatch.why());
        }
        case Route.NotKnown notKnown -> {
          deferrals.add(new Deferral(reply, notKnown.waitsFor()));
          yield Optional.empty();
        }
        case Route.Known known ->
            accepted(saga, reply, envelope, replies.read(message, known.type(), known.step()));
        case Route.ByOutcome unmapped ->
            accepted(saga, reply, envelope, replies.readOutcome(message));
      };
    }

    private void expectDeleted(InboundMessage reply) throws SQLException {
      RootKey key = new RootKey(reply.scope(), reply.rootKey().value());
      if (!UsedRootKeys.isOfDeleted(tx.connection(), key)) {
        throw replies.sagaNotThere(reply);
      }
      LOG.infof(
          "ignored %s: saga %s was deleted after its retention",
          reply.type(), reply.correlationId());
    }

    private Optional<DeliveredReply> accepted(
        UUID saga, ReceivedMessage received, ReplyEnvelope envelope, Reply reply) {
      InboundMessage message = received.message();
      String hash = ReplyReader.hash(message.type(), message.outcome(), received.delivery().body());
      DeliveredReply delivered = new DeliveredReply(saga, reply, envelope.answeredStep(), hash);
      locked
          .objection(delivered, envelope)
          .ifPresent(
              why -> {
                throw mismatch(message, why);
              });
      return Optional.of(delivered);
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
      locked.write();
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
