package io.onceflow.saga.internal.jpa;

import io.onceflow.participant.internal.SharedRowRepository;
import java.sql.Connection;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * JPA entities as rows of a participant: locked when they are loaded, so that two steps of
 * different sagas change one entity after each other. The persistence context is that of the
 * transaction, and is thrown away with it.
 *
 * @param <S> the entity
 */
public record JpaParticipantRepository<S>(LockedEntities<S> entities)
    implements SharedRowRepository<S> {

  @Override
  public Map<UUID, List<S>> load(Connection tx, Set<UUID> ids) {
    return entities.lock(tx, ids).stream().collect(Collectors.toMap(entities::id, List::of));
  }

  /** Flushes, so that a row that the database rejects is known before anything is answered. */
  @Override
  public void save(Connection tx, Collection<S> rows) {
    rows.stream()
        .filter(row -> !entities.manager(tx).contains(row))
        .forEach(entities.manager(tx)::persist);
    entities.manager(tx).flush();
  }
}
