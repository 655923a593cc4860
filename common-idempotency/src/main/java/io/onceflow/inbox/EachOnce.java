package io.onceflow.inbox;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.onceflow.idempotency.Fingerprint;
import io.onceflow.outbox.Transaction;
import io.onceflow.outbox.UnitOfWork;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lets each message take effect once and needs no answer: for replies and events. Fresh messages of
 * a batch are handed on together; their inbox rows and whatever is written for them commit
 * together.
 */
public final class EachOnce implements BatchSettler {

  /** Rows are completed when they are inserted: no lease is ever needed. */
  private static final Duration NO_LEASE = Duration.ZERO;

  private final InboxStore inbox;
  private final UnitOfWork unitOfWork;
  private final ParkingPlace parking;
  private final Function<InboundMessage, Optional<String>> stepOf;
  private final Work work;
  private final IntConsumer repeated;

  /** What is done for messages that have not been seen before. */
  @FunctionalInterface
  public interface Work {

    /**
     * Writes what follows from them, in the order in which they came.
     *
     * @throws CannotHandle when one of them must be parked; the others are tried without it
     */
    void apply(Transaction tx, List<InboundMessage> fresh) throws SQLException;
  }

  /**
   * @param stepOf the receiver's own step for a message, such as {@code record-payment}, or empty
   *     when nobody here handles its type
   */
  public EachOnce(
      UnitOfWork unitOfWork,
      Parking parking,
      Function<InboundMessage, Optional<String>> stepOf,
      Work work) {
    this(unitOfWork, new InboxTable(), parking, stepOf, work, parking::countRepeated);
  }

  EachOnce(
      UnitOfWork unitOfWork,
      InboxStore inbox,
      ParkingPlace parking,
      Function<InboundMessage, Optional<String>> stepOf,
      Work work) {
    this(unitOfWork, inbox, parking, stepOf, work, messages -> {});
  }

  private EachOnce(
      UnitOfWork unitOfWork,
      InboxStore inbox,
      ParkingPlace parking,
      Function<InboundMessage, Optional<String>> stepOf,
      Work work,
      IntConsumer repeated) {
    this.inbox = inbox;
    this.unitOfWork = unitOfWork;
    this.parking = parking;
    this.stepOf = stepOf;
    this.work = work;
    this.repeated = repeated;
  }

  @Override
  public void settle(List<Delivery> batch) throws SQLException {
    unitOfWork.call(
        tx -> {
          settle(tx, batch);
          return null;
        });
  }

  @Override
  public void park(Delivery delivery, CannotHandle why) throws SQLException {
    unitOfWork.call(
        tx -> {
          parking.park(tx, delivery, why);
          return null;
        });
  }

  @Override
  public boolean redrive(Parked parked) throws SQLException {
    EachOnce redriving = new EachOnce(unitOfWork, inbox, ParkingPlace.NONE, stepOf, work, repeated);
    return unitOfWork.call(
        tx -> {
          Optional<Delivery> delivery = parked.take(tx);
          if (delivery.isPresent()) {
            redriving.settle(tx, List.of(delivery.get()));
          }
          return delivery.isPresent();
        });
  }

  /** As {@link #settle(List)}, in a transaction that the caller has open and ends. */
  void settle(Transaction tx, List<Delivery> batch) throws SQLException {
    List<Read> read = read(tx, batch);
    Set<InboxRow.Id> ids = read.stream().map(Read::id).collect(Collectors.toSet());
    Map<InboxRow.Id, Fingerprint> seen = fingerprints(inbox.find(tx.connection(), ids));
    List<Read> fresh = new ArrayList<>();
    for (Read one : read) {
      Fingerprint fingerprint = one.message().fingerprint();
      @Nullable Fingerprint before = seen.putIfAbsent(one.id(), fingerprint);
      if (before == null) {
        fresh.add(one);
      } else if (!before.equals(fingerprint)) {
        parking.park(tx, one.delivery(), mismatch(one));
      }
    }
    claim(tx, fresh);
    int again = read.size() - fresh.size();
    tx.afterCommit(() -> repeated.accept(again));
    if (!fresh.isEmpty()) {
      work.apply(tx, fresh.stream().map(Read::message).toList());
    }
  }

  private void claim(Transaction tx, List<Read> fresh) throws SQLException {
    List<InboxRow> rows = fresh.stream().map(Read::completed).toList();
    if (inbox.insert(tx.connection(), rows, NO_LEASE).size() < rows.size()) {
      throw new LostRace("one of " + rows.size() + " messages");
    }
  }

  private List<Read> read(Transaction tx, List<Delivery> batch) throws SQLException {
    List<Read> read = new ArrayList<>();
    for (Delivery delivery : batch) {
      try {
        read.add(read(delivery));
      } catch (CannotHandle why) {
        parking.park(tx, delivery, why);
      }
    }
    return read;
  }

  private Read read(Delivery delivery) {
    InboundMessage message = InboundMessage.read(delivery);
    String step =
        stepOf
            .apply(message)
            .orElseThrow(
                () ->
                    new CannotHandle(
                        ParkingReason.UNKNOWN_TYPE,
                        "type \"%s\" is not handled here".formatted(message.type())));
    StepKey key = new StepKey(message.rootKey(), perStep(step, message), message.origin());
    return new Read(delivery, message, InboxRow.Id.of(message, key));
  }

  /** Two steps of a saga that are answered by one type of reply are recorded apart. */
  private static String perStep(String recordedAs, InboundMessage message) {
    return message.step() == null ? recordedAs : recordedAs + "+" + message.step();
  }

  private static Map<InboxRow.Id, Fingerprint> fingerprints(Map<InboxRow.Id, InboxRow> rows) {
    Map<InboxRow.Id, Fingerprint> fingerprints = new HashMap<>();
    rows.forEach(
        (id, row) -> {
          Fingerprint fingerprint = row.fingerprint();
          if (fingerprint != null) {
            fingerprints.put(id, fingerprint);
          }
        });
    return fingerprints;
  }

  private static CannotHandle mismatch(Read one) {
    return new CannotHandle(
        ParkingReason.FINGERPRINT_MISMATCH,
        "%s under %s came before with another payload; the first one stands"
            .formatted(one.message().type(), one.id().stepKey()));
  }

  private record Read(Delivery delivery, InboundMessage message, InboxRow.Id id) {

    InboxRow completed() {
      String outcome =
          JsonNodeFactory.instance.objectNode().put("recorded", message.type()).toString();
      return InboxRow.completed(id, message.fingerprint(), outcome);
    }
  }
}
