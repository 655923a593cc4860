package io.onceflow.saga.internal.jpa;

import io.onceflow.inbox.internal.participant.ParticipantRepository;
import io.quarkus.arc.Arc;
import jakarta.persistence.EntityManager;
import java.sql.Connection;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * JPA entities that handlers save with their step and do not take: new ones, or those that they
 * have read themselves. They may have an id of any type.
 *
 * @param manager the persistence context of the open JTA transaction
 */
public record SavedEntities(EntityManager manager) implements ParticipantRepository<Object> {

  /** Those of the application's persistence unit. */
  public static SavedEntities ofApplication() {
    return new SavedEntities(Arc.container().instance(EntityManager.class).get());
  }

  @Override
  public Map<UUID, List<Object>> load(Connection tx, Set<UUID> ids) {
    return Map.of();
  }

  /** Flushes, so that a row that the database rejects is known before anything is answered. */
  @Override
  public void save(Connection tx, Collection<Object> rows) {
    rows.stream().filter(row -> !manager.contains(row)).forEach(manager::merge);
    manager.flush();
  }
}
