package io.onceflow.inbox.internal.consumer;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.StepKey;
import io.onceflow.inbox.internal.InboxConflict;
import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.inbox.internal.InboxStore;
import io.onceflow.inbox.internal.InboxTable;
import io.onceflow.inbox.internal.consumer.MessageReceiver.Reception;
import io.onceflow.inbox.internal.consumer.MessageReceiver.Verdict;
import io.onceflow.inbox.internal.parking.ParkedMessageSink;
import io.onceflow.inbox.internal.parking.Parking;
import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Lets each message take effect once and needs no answer: for events, and for replies, which their
 * sagas remember themselves. Fresh messages of a batch are handed on together; their inbox rows and
 * whatever is written for them commit together.
 */
public final class IdempotentReceiver implements BatchSettler {

  /** Rows are completed when they are inserted: no lease is ever needed. */
  private static final Duration NO_LEASE = Duration.ZERO;

  private final InboxStore inbox;
  private final UnitOfWork unitOfWork;
  private final Parking parking;
  private final MessageReceiver receiver;

  /**
   * @param receiver decides which messages take effect, and under which step
   */
  public IdempotentReceiver(UnitOfWork unitOfWork, Parking parking, MessageReceiver receiver) {
    this(unitOfWork, new InboxTable(unitOfWork.database()), parking, receiver);
  }

  public IdempotentReceiver(
      UnitOfWork unitOfWork, InboxStore inbox, Parking parking, MessageReceiver receiver) {
    this.inbox = inbox;
    this.unitOfWork = unitOfWork;
    this.parking = parking;
    this.receiver = receiver;
  }

  @Override
  public void settle(List<Delivery> batch) throws SQLException {
    unitOfWork.run(tx -> settle(tx, batch));
  }

  @Override
  public void park(Delivery delivery, UnprocessableMessage why) throws SQLException {
    unitOfWork.run(tx -> parking.park(tx, delivery, why));
  }

  @Override
  public boolean redrive(Parked parked) throws SQLException {
    return unitOfWork.call(
        tx -> {
          Optional<Delivery> delivery = parked.take(tx);
          if (delivery.isPresent()) {
            settle(tx, List.of(delivery.get()), ParkedMessageSink.NONE);
          }
          return delivery.isPresent();
        });
  }

  @Override
  public Set<String> known() {
    return receiver.known();
  }

  /** Whether it works in JTA transactions alone. */
  public boolean needsJta() {
    return unitOfWork.isJta();
  }

  /**
   * As {@link #settle(List)}, in a transaction that the caller has open and ends, each message in
   * its span.
   *
   * @param system that delivered them, by its name in OpenTelemetry's conventions
   */
  public void settle(Transaction tx, List<Delivery> batch, String system) throws SQLException {
    ProcessSpans.around(batch, system, some -> settle(tx, some));
  }

  /** As {@link #settle(List)}, in a transaction that the caller has open and ends. */
  public void settle(Transaction tx, List<Delivery> batch) throws SQLException {
    settle(tx, batch, parking);
  }

  private void settle(Transaction tx, List<Delivery> batch, ParkedMessageSink sink)
      throws SQLException {
    List<ReceivedMessage> read = read(tx, batch, sink);
    Reception reception = receiver.examine(tx, read);
    List<Verdict> verdicts = reception.verdicts();
    List<Taken> taken = taken(tx, read, verdicts, sink);
    List<Taken> fresh = taken.isEmpty() ? List.of() : claim(tx, taken, sink);
    long copies = verdicts.stream().filter(Verdict.Repeated.class::isInstance).count();
    int again = (int) copies + taken.size() - fresh.size();
    tx.afterCommit(() -> parking.countRepeated(again));
    reception.apply(fresh.stream().map(Taken::received).toList());
  }

  private List<ReceivedMessage> read(Transaction tx, List<Delivery> batch, ParkedMessageSink sink)
      throws SQLException {
    List<ReceivedMessage> read = new ArrayList<>();
    for (Delivery delivery : batch) {
      try {
        InboundMessage message =
            receiver.takesAnyBytes()
                ? InboundMessage.readAnyBytes(delivery)
                : InboundMessage.read(delivery);
        read.add(new ReceivedMessage(delivery, message));
      } catch (UnprocessableMessage why) {
        sink.park(tx, delivery, why);
      }
    }
    return read;
  }

  private List<Taken> taken(
      Transaction tx, List<ReceivedMessage> read, List<Verdict> verdicts, ParkedMessageSink sink)
      throws SQLException {
    List<Taken> taken = new ArrayList<>();
    for (int i = 0; i < read.size(); i++) {
      ReceivedMessage received = read.get(i);
      switch (verdicts.get(i)) {
        case Verdict.Take take -> taken.add(Taken.of(received, take));
        case Verdict.Park park -> sink.park(tx, received.delivery(), park.why());
        case Verdict.Defer defer ->
            parking.defer(tx, received.delivery(), defer.waitsFor(), defer.detail());
        case Verdict.Keep keep -> parking.keep(tx, received.delivery(), keep.detail());
        case Verdict.Repeated copy -> {}
        case Verdict.Handled handled -> {}
      }
    }
    return taken;
  }

  /**
   * Those that the inbox had no row of, the first of each key; now it has one. What came before is
   * looked for only when there is a row already; mismatching ones are parked.
   */
  private List<Taken> claim(Transaction tx, List<Taken> taken, ParkedMessageSink sink)
      throws SQLException {
    Map<InboxRow.Id, Taken> firsts = new LinkedHashMap<>();
    taken.forEach(one -> firsts.putIfAbsent(one.id(), one));
    List<InboxRow> rows = firsts.values().stream().map(Taken::completed).toList();
    Set<InboxRow.Id> claimed = inbox.insert(tx.connection(), rows, NO_LEASE);
    Map<InboxRow.Id, Fingerprint> before = before(tx, firsts.keySet(), claimed);
    List<Taken> fresh = new ArrayList<>();
    for (Taken one : taken) {
      Fingerprint standing = before.computeIfAbsent(one.id(), id -> firsts.get(id).fingerprint());
      if (claimed.contains(one.id()) && firsts.get(one.id()) == one) {
        fresh.add(one);
      } else if (!standing.equals(one.fingerprint())) {
        sink.park(tx, one.received().delivery(), mismatch(one));
      }
    }
    return fresh;
  }

  /** The fingerprints of what was not claimed, since it has a row. */
  private Map<InboxRow.Id, Fingerprint> before(
      Transaction tx, Set<InboxRow.Id> ids, Set<InboxRow.Id> claimed) throws SQLException {
    Set<InboxRow.Id> known = new HashSet<>(ids);
    known.removeAll(claimed);
    Map<InboxRow.Id, Fingerprint> fingerprints = new HashMap<>();
    inbox.find(tx.connection(), known).forEach((id, row) -> put(fingerprints, id, row));
    if (fingerprints.size() < known.size()) {
      throw new InboxConflict("one of " + known.size() + " messages");
    }
    return fingerprints;
  }

  private static void put(
      Map<InboxRow.Id, Fingerprint> fingerprints, InboxRow.Id id, InboxRow row) {
    Fingerprint fingerprint = row.fingerprint();
    if (fingerprint != null) {
      fingerprints.put(id, fingerprint);
    }
  }

  private static UnprocessableMessage mismatch(Taken one) {
    return new UnprocessableMessage(
        ParkingReason.FINGERPRINT_MISMATCH,
        "%s under %s came before with another payload; the first one stays"
            .formatted(one.received().message().type(), one.id().stepKey()));
  }

  private record Taken(ReceivedMessage received, InboxRow.Id id) {

    static Taken of(ReceivedMessage received, Verdict.Take take) {
      InboundMessage message = received.message();
      StepKey key = new StepKey(message.rootKey(), take.step(), message.origin());
      return new Taken(received, InboxRow.Id.of(message, key));
    }

    Fingerprint fingerprint() {
      return received.fingerprint();
    }

    InboxRow completed() {
      String outcome =
          JsonNodeFactory.instance
              .objectNode()
              .put("recorded", received.message().type())
              .toString();
      return InboxRow.completed(id, fingerprint(), outcome);
    }
  }
}
