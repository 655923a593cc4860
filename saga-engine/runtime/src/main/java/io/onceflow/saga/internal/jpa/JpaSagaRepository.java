package io.onceflow.saga.internal.jpa;

import io.onceflow.outbox.Transaction;
import io.onceflow.saga.api.SagaRepository;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Subjects that are JPA entities with a UUID as their {@code @Id}. Each batch has one JTA
 * transaction and the persistence context of it, which is thrown away with it: the subjects are
 * locked, read, changed in place and flushed with the sagas' rows.
 *
 * @param <D> the entity
 */
public final class JpaSagaRepository<D> implements SagaRepository<D> {

  private final LockedEntities<D> entities;

  private JpaSagaRepository(LockedEntities<D> entities) {
    this.entities = entities;
  }

  /** One of this entity, on the application's persistence unit. */
  public static <D> SagaRepository<D> of(Class<D> type) {
    return new JpaSagaRepository<>(LockedEntities.of(type));
  }

  @Override
  public UUID id(D subject) {
    return entities.id(subject);
  }

  @Override
  public String type() {
    return entities.name();
  }

  /** One that the transaction had read before it was locked is read again. */
  @Override
  public Map<UUID, D> load(Transaction tx, Set<UUID> ids) {
    Map<UUID, D> loaded = new HashMap<>();
    for (D subject : entities.lock(ids)) {
      entities.manager().refresh(subject);
      loaded.put(id(subject), subject);
    }
    return loaded;
  }

  @Override
  public void insert(Transaction tx, Collection<D> subjects) {
    subjects.stream().filter(this::isDetached).forEach(entities.manager()::persist);
    entities.manager().flush();
  }

  /** Flushes, so that a row that the database rejects is known before anything is sent. */
  @Override
  public void save(Transaction tx, Collection<D> changed) {
    changed.stream().filter(this::isDetached).forEach(entities.manager()::merge);
    entities.manager().flush();
  }

  private boolean isDetached(D subject) {
    return !entities.manager().contains(subject);
  }
}
