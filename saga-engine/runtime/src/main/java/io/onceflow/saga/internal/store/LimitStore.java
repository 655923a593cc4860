package io.onceflow.saga.internal.store;

import io.onceflow.saga.Limit;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who has which place of a limit, and who waits for it. Every method works in the transaction of
 * the connection it is given. What is taken and given back is decided by {@link SagaQueue}.
 */
public interface LimitStore {

  /**
   * What sagas wait for.
   *
   * @param key of the business, such as a customer; empty for the definition in all
   */
  record Place(String definition, String key) implements Comparable<Place> {

    private static final Comparator<Place> ORDER =
        Comparator.comparing(Place::definition).thenComparing(Place::key);

    static Place inAll(String definition) {
      return new Place(definition, "");
    }

    @Override
    public int compareTo(Place other) {
      return ORDER.compare(this, other);
    }
  }

  /**
   * A saga that is to be started.
   *
   * @param turnKey whose turn it takes once it has its places; null if it needs none
   */
  record Entrant(UUID saga, int priority, @Nullable String turnKey) {}

  /**
   * Locks places until the transaction ends.
   *
   * @param places in one order, so that no two transactions wait for each other; those in all first
   */
  void lock(Connection tx, Iterable<Place> places) throws SQLException;

  /** Takes a place whose lock is held; answers whether the saga has to wait for it. */
  boolean take(Connection tx, Place place, Entrant entrant, int most) throws SQLException;

  /** Takes the places from sagas that have ended; answers those that they had. */
  List<Place> release(Connection tx, Collection<UUID> ended) throws SQLException;

  /** The places of the key of sagas that have ended while they waited for a place in all. */
  List<Place> releaseEndedInQueue(Connection tx, String definition) throws SQLException;

  /** Gives the free ones of a place whose lock is held to the next sagas in its queue. */
  List<Entrant> promote(Connection tx, Place place, int most) throws SQLException;

  /** Those of queued sagas that wait for a place. */
  Set<UUID> waiting(Connection tx, Collection<UUID> queued) throws SQLException;

  /** Takes turns for sagas that are about to be started; answers those that come later than now. */
  Map<UUID, Instant> takeTurns(
      Connection tx, String definition, Limit.OfStarts<?> limit, List<Entrant> entrants)
      throws SQLException;

  /** Has the timers of queued sagas fire at these times, or earlier. */
  void setTimers(Connection tx, Map<UUID, Instant> turns) throws SQLException;

  /** Writes into the histories of sagas for which limit they wait now. */
  void note(Connection tx, List<UUID> waiting, String limit) throws SQLException;
}
