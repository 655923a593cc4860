package io.onceflow.saga.trip;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.saga.Sagas;
import io.onceflow.saga.Sagas.EndedSaga;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Trips go with their sagas; one of them cannot. */
@ApplicationScoped
class TripArchive implements Sagas.Archive {

  static final String UNARCHIVABLE = "UNARCHIVABLE";

  private final EntityManager entities;
  private final List<EndedSaga> archived = new CopyOnWriteArrayList<>();

  TripArchive(EntityManager entities) {
    this.entities = entities;
  }

  @Override
  public void archive(Transaction tx, List<EndedSaga> ended) {
    for (EndedSaga saga : ended) {
      Trip trip = entities.find(Trip.class, saga.subjectId());
      if (trip.flight.equals(UNARCHIVABLE)) {
        throw new IllegalStateException("this trip cannot be archived");
      }
      entities.remove(trip);
    }
    archived.addAll(ended);
  }

  /** What was archived, also by transactions that were rolled back. */
  List<EndedSaga> archived() {
    return archived;
  }
}
