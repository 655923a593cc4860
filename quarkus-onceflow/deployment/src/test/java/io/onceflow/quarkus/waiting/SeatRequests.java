package io.onceflow.quarkus.waiting;

import io.onceflow.participant.CallKey;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Transactional;
import java.util.Optional;

/** The seats that the airline was asked for. */
@ApplicationScoped
class SeatRequests {

  private final EntityManager entities;

  SeatRequests(EntityManager entities) {
    this.entities = entities;
  }

  @Transactional
  void keep(CallKey key) {
    if (find(key.value()).isEmpty()) {
      entities.persist(new SeatRequest(key));
    }
  }

  Optional<SeatRequest> find(String reference) {
    return Optional.ofNullable(entities.find(SeatRequest.class, reference));
  }
}
