package io.onceflow.inbox.internal.parking;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.Redriver;
import io.onceflow.internal.database.RowFailures;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * Settles messages that were deferred because the replica that received them did not know them.
 * Each is settled as if it had just arrived, in the transaction that takes it from its store, so
 * exactly once. One that cannot be handled is parked, and so is one that no replica has known for
 * too long.
 */
public final class DeferredMessages {

  private static final Logger LOG = Logger.getLogger(DeferredMessages.class);

  /** Some hundred milliseconds of work: other turns of the same thread wait for no longer. */
  private static final int MOST_PER_TURN = 100;

  private final UnitOfWork unitOfWork;
  private final Parking parking;
  private final Store store;
  private final RedriveAttempt redrive;
  private final RowFailures<UUID> failures = new RowFailures<>("deferred messages");

  /** Where deferred messages are stored. */
  public interface Store {

    /** Those that this process can handle, the oldest first. */
    List<UUID> known(int most) throws SQLException;

    /** Those that have been stored for too long, whether this process can handle them or not. */
    List<UUID> expired(int most) throws SQLException;

    /** Takes one out; empty when another process has it, or has had it. Waits for no lock. */
    Optional<Delivery> take(Transaction tx, UUID id) throws SQLException;

    /** Counts the outcome of one that was taken out. */
    void count(String outcome);
  }

  /**
   * @param redriver handles them as it handles messages that arrive
   */
  public DeferredMessages(Redriver redriver, UnitOfWork unitOfWork, Parking parking, Store store) {
    this.unitOfWork = unitOfWork;
    this.parking = parking;
    this.store = store;
    this.redrive = new RedriveAttempt(redriver, id -> tx -> store.take(tx, id));
  }

  /**
   * Settles what this process can handle, and parks what has expired. Called at intervals by every
   * replica; they share the work without a leader.
   *
   * @return whether there were any
   */
  public boolean take() throws SQLException {
    int most = MOST_PER_TURN + failures.count();
    List<UUID> known = store.known(most);
    for (UUID id : known) {
      failures.handle(id, () -> settle(id));
    }
    List<UUID> expired = store.expired(most);
    for (UUID id : expired) {
      failures.handle(id, () -> park(id, expired()));
    }
    return !known.isEmpty() || !expired.isEmpty();
  }

  private static UnprocessableMessage expired() {
    return new UnprocessableMessage(
        ParkingReason.DEFERRED_TOO_LONG,
        "no replica has known its saga's definition, or its type, for as long as replies are"
            + " deferred");
  }

  private void settle(UUID id) throws SQLException {
    RedriveAttempt.Result result = redrive.settle(id);
    UnprocessableMessage why = result.why();
    if (why != null) {
      park(id, why);
    } else if (result.wasParked()) {
      store.count("taken");
      LOG.debugf("the deferred message %s was handled", id);
    }
  }

  private void park(UUID id, UnprocessableMessage why) throws SQLException {
    boolean parked =
        unitOfWork.call(
            tx -> {
              Optional<Delivery> delivery = store.take(tx, id);
              if (delivery.isPresent()) {
                parking.park(tx, delivery.get(), why);
              }
              return delivery.isPresent();
            });
    if (parked) {
      store.count("parked");
    }
  }
}
