package io.onceflow.quarkus.runtime;

import io.onceflow.participant.internal.CompositeRepository;
import io.onceflow.participant.internal.SharedRowRepository;
import io.onceflow.saga.internal.jpa.LockedEntities;
import java.sql.Connection;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * JPA entities as rows: locked when they are loaded, so that two steps of different sagas change
 * one entity after each other. The persistence context is that of the transaction, and is thrown
 * away with it.
 */
record JpaParticipantRepository<S>(LockedEntities<S> entities) implements SharedRowRepository<S> {

  static void addTo(CompositeRepository rows, List<Class<?>> types) {
    types.forEach(type -> add(rows, type));
  }

  private static <S> void add(CompositeRepository rows, Class<S> type) {
    rows.with(type, new JpaParticipantRepository<>(LockedEntities.of(type)));
  }

  @Override
  public Map<UUID, List<S>> load(Connection connection, Set<UUID> ids) {
    Map<UUID, List<S>> found = new HashMap<>();
    entities.lock(ids).forEach(row -> found.put(entities.id(row), List.of(row)));
    return found;
  }

  /** Flushes, so that what the database refuses is known before anything is answered. */
  @Override
  public void save(Connection connection, Collection<S> rows) {
    for (S row : rows) {
      if (!entities.manager().contains(row)) {
        entities.manager().persist(row);
      }
    }
    entities.manager().flush();
  }
}
