package io.onceflow.saga.internal.messaging;

import static java.util.Objects.requireNonNull;

import io.onceflow.inbox.internal.consumer.InboundMessage;
import io.onceflow.inbox.internal.consumer.MessageReceiver;
import io.onceflow.inbox.internal.consumer.ReceivedMessage;
import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.participant.Answer.UnprocessableMessage;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.Reply;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.runtime.LockedSagas;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.LockedSaga;
import io.onceflow.saga.internal.store.RootKey;
import io.onceflow.saga.internal.store.SagaOrigin;
import io.onceflow.saga.internal.store.retention.UsedRootKeys;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

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
 *   <li>A reply to a saga that is on hold is kept until that is resumed.
 *   <li>Every other reply is delivered. The saga's step remembers it: a copy changes nothing, and
 *       another answer to the step is parked. The inbox has no row of it.
 * </ul>
 */
final class SagaReplies implements MessageReceiver {

  private static final Logger LOG = Logger.getLogger(SagaReplies.class);

  private final ReplyReader replies;
  private final SagaRunners sagas;
  private final Clock clock;
  private final Set<String> known;

  SagaReplies(ReplyReader replies, SagaRunners sagas, Clock clock) {
    this.replies = replies;
    this.sagas = sagas;
    this.clock = clock;
    this.known = known(sagas);
  }

  /** Types of replies, versions of definitions, and steps whose success any type reports. */
  private static Set<String> known(SagaRunners sagas) {
    Set<String> known = new HashSet<>();
    for (SagaDefinition<?> definition : sagas.definitions()) {
      String version = definition.toString();
      known.add(version);
      sagas
          .of(definition.name())
          .replies()
          .keySet()
          .forEach(type -> known.add(typeOf(version, type)));
      definition.commandNames().stream()
          .filter(definition::takesAnySuccess)
          .forEach(step -> known.add(stepOf(version, step)));
    }
    return Set.copyOf(known);
  }

  private static String typeOf(String version, String type) {
    return "%s, type %s".formatted(version, type);
  }

  private static String stepOf(String version, @Nullable String step) {
    return "%s, step %s".formatted(version, step);
  }

  @Override
  public Set<String> known() {
    return known;
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
    private final Instant now = clock.instant();
    private final List<Verdict> verdicts = new ArrayList<>();

    private Examined(Transaction tx, LockedSagas locked) {
      this.tx = tx;
      this.locked = locked;
    }

    /** What a definition's function throws is not caught: it may have changed its subject. */
    private void examine(ReceivedMessage reply) throws SQLException {
      Supplier<Verdict> delivery;
      try {
        delivery = delivery(reply);
      } catch (UnprocessableMessage why) {
        verdicts.add(new Verdict.Park(why));
        return;
      }
      verdicts.add(delivery.get());
    }

    private Supplier<Verdict> delivery(ReceivedMessage reply) throws SQLException {
      InboundMessage message = reply.message();
      UUID id = ReplyReader.sagaId(message).orElseThrow(() -> replies.namesNoSaga(message));
      LockedSagas.Entry saga = locked.find(id);
      if (saga == null) {
        expectDeleted(message);
        return Verdict.Handled::new;
      }
      return delivery(reply, saga);
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

    private Supplier<Verdict> delivery(ReceivedMessage received, LockedSagas.Entry entry) {
      InboundMessage message = received.message();
      Optional<String> objection = objection(message, entry.stored().origin());
      if (objection.isPresent()) {
        replies.expectReadable(message);
        throw mismatch(message, objection.get());
      }
      if (entry.stored().hold() != null) {
        return () -> new Verdict.Keep("its saga is on hold; it is taken when that is resumed");
      }
      LockedSaga<?> saga = entry.saga();
      Optional<Reply> reply =
          saga == null
              ? Optional.empty()
              : replies.read(message, saga.definition(), entry.replies());
      if (saga == null || reply.isEmpty()) {
        return () -> deferred(message, entry.stored().reached());
      }
      SagaEvent.Replied replied =
          new SagaEvent.Replied(reply.get(), requireNonNull(message.step()), hash(received));
      sagas
          .replyPolicy()
          .objection(saga, replied, received.routingKey())
          .ifPresent(
              why -> {
                throw mismatch(message, why);
              });
      return () -> deliver(saga, replied);
    }

    private Verdict deliver(LockedSaga<?> saga, SagaEvent.Replied reply) {
      return switch (saga.standing(reply)) {
        case NEW -> {
          saga.apply(reply, now);
          yield new Verdict.Handled();
        }
        case REPEATED -> new Verdict.Repeated();
        case UNASKED -> {
          LOG.infof(
              "ignored %s: saga %s has not sent %s",
              reply.reply().type(), saga.state().id(), reply.step());
          yield new Verdict.Handled();
        }
        case CONTRADICTS ->
            new Verdict.Park(
                new UnprocessableMessage(
                    ParkingReason.FINGERPRINT_MISMATCH,
                    "%s is not what saga %s was answered to %s before; the first answer stays"
                        .formatted(reply.reply().type(), saga.state().id(), reply.step())));
      };
    }

    @Override
    public List<Verdict> verdicts() {
      return verdicts;
    }

    @Override
    public void apply(List<ReceivedMessage> fresh) throws SQLException {
      locked.save();
    }
  }

  private static Verdict deferred(InboundMessage reply, SagaState saga) {
    String version = "%s v%s".formatted(saga.definition(), saga.version());
    List<String> waitsFor =
        ReplyReader.isSaidByOutcome(reply)
            ? List.of(version)
            : List.of(typeOf(version, reply.type()), stepOf(version, reply.step()));
    return new Verdict.Defer(
        waitsFor,
        "a replica has to know it as a reply to %s, which its saga follows".formatted(version));
  }

  private static String hash(ReceivedMessage reply) {
    InboundMessage message = reply.message();
    return ReplyReader.hash(message.type(), message.outcome(), reply.delivery().body());
  }

  /** Why the envelope cannot be that of an answer to the saga of this origin. */
  private static Optional<String> objection(InboundMessage reply, SagaOrigin saga) {
    return saga.objection(reply.scope(), reply.rootKey().value(), reply.origin())
        .or(
            () ->
                reply.step() == null
                    ? Optional.of("it does not name the step that it answers")
                    : Optional.empty())
        .or(
            () ->
                reply.outcome() == null
                    ? Optional.of("it does not name its outcome")
                    : Optional.empty());
  }

  private static UnprocessableMessage mismatch(InboundMessage reply, String why) {
    return new UnprocessableMessage(
        ParkingReason.REPLY_MISMATCH,
        "%s does not fit saga %s: %s; it may be forged"
            .formatted(reply.type(), reply.correlationId(), why));
  }
}
