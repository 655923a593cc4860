package io.onceflow.test.races;

import static io.onceflow.test.races.RacedCommand.command;

import io.onceflow.message.Command;
import io.onceflow.message.Done;
import io.onceflow.message.Undoes;
import io.onceflow.participant.Answer;
import io.onceflow.participant.CallKey;
import io.onceflow.participant.CallsOut;
import io.onceflow.participant.Handles;
import io.onceflow.test.TestPostgres;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/**
 * Participants that answer as pending until the world has decided: an airline that confirms seats
 * later, and a clerk who approves. Before, no race of theirs came to an end.
 */
class PendingRacesTest extends CommandRaces {

  private static final DataSource DATABASE = TestPostgres.database("pending_races");

  private static final Books BOOKS = new Books();

  private static final RacedService TRAVEL = RacedParticipants.on(DATABASE).of(new Travel(BOOKS));

  private static final RacedCommand CANCEL =
      command(CancelSeat.class, CancelSeat::new).does("CANCELLED");

  private static final RacedCommand REQUEST =
      command(RequestSeat.class, RequestSeat::new)
          .does("REQUESTED")
          .answers("SeatConfirmed")
          .mayBeRefused()
          .pendingUntil(BOOKS::decide);

  private static final RacedCommand APPROVE =
      command(ApproveTrip.class, ApproveTrip::new)
          .answers("TripApproved")
          .mayBeRefused()
          .pendingUntil(BOOKS::decide);

  @Command("seat.request")
  record RequestSeat(UUID tripId) {}

  @Done(RequestSeat.class)
  record SeatConfirmed(UUID tripId) {}

  @Undoes(RequestSeat.class)
  @Command("seat.cancel")
  record CancelSeat(UUID tripId) {}

  @Command("trip.approve")
  record ApproveTrip(UUID tripId) {}

  @Done(ApproveTrip.class)
  record TripApproved(UUID tripId) {}

  /** What the airline and the clerk have decided. */
  private static final class Books {

    private final Set<UUID> decided = ConcurrentHashMap.newKeySet();
    private final Map<UUID, List<Ledger.Entry>> entries = new ConcurrentHashMap<>();

    void decide(UUID trip) {
      decided.add(trip);
    }

    /** Once for a key. */
    synchronized void enter(UUID trip, String key, String kind) {
      List<Ledger.Entry> its = of(trip);
      if (its.stream().noneMatch(entry -> entry.key().equals(key))) {
        its.add(new Ledger.Entry(key, kind));
      }
    }

    List<Ledger.Entry> of(UUID trip) {
      return entries.computeIfAbsent(trip, unseen -> new CopyOnWriteArrayList<>());
    }
  }

  /** Waits for both. */
  static class Travel {

    private final Books books;

    Travel(Books books) {
      this.books = books;
    }

    @Handles
    @CallsOut
    Answer request(RequestSeat command, CallKey key) {
      books.enter(command.tripId(), key.value(), "REQUESTED");
      return books.decided.contains(command.tripId())
          ? Answer.done(new SeatConfirmed(command.tripId()))
          : Answer.pending(Duration.ofMinutes(10));
    }

    @Handles
    @CallsOut
    void cancel(CancelSeat command, CallKey key, CallKey requested) {
      books.enter(command.tripId(), key.value(), "CANCELLED");
    }

    @Handles
    Answer approve(ApproveTrip command) {
      return books.decided.contains(command.tripId())
          ? Answer.done(new TripApproved(command.tripId()))
          : Answer.pending(Duration.ofMinutes(10));
    }
  }

  @Override
  protected RacedService service() {
    return TRAVEL;
  }

  @Override
  protected List<RacedCommand> commands() {
    return List.of(REQUEST.undoneBy(CANCEL), CANCEL.after(REQUEST), APPROVE);
  }

  @Override
  protected Ledger ledger() {
    return BOOKS::of;
  }
}
