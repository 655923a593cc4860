package io.onceflow.saga.internal.jpa;

import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.saga.SagaRepository;
import jakarta.persistence.EntityManager;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * Subjects that are JPA entities with a UUID as their {@code @Id}. Each batch has one transaction
 * and the persistence context of it, which is thrown away with it: the subjects are locked, read,
 * changed in place and flushed with the sagas' rows.
 *
 * @param <D> the entity
 */
public record JpaSagaRepository<D>(LockedEntities<D> entities) implements SagaRepository<D> {

  @Override
  public UUID id(D subject) {
    return entities.id(subject);
  }

  @Override
  public String type() {
    return entities.name();
  }

  @Override
  public Map<UUID, D> load(Transaction tx, Set<UUID> ids) {
    return entities.lock(tx.connection(), ids).stream()
        .collect(Collectors.toMap(this::id, subject -> subject));
  }

  @Override
  public void insert(Transaction tx, Collection<D> subjects) {
    write(tx, subjects, EntityManager::persist);
  }

  @Override
  public void save(Transaction tx, Collection<D> changed) {
    write(tx, changed, EntityManager::merge);
  }

  /** Flushes, so that a row that the database rejects is known before anything is sent. */
  private void write(
      Transaction tx, Collection<D> subjects, BiConsumer<EntityManager, D> ofDetached) {
    EntityManager manager = entities.manager(tx.connection());
    subjects.stream()
        .filter(subject -> !manager.contains(subject))
        .forEach(subject -> ofDetached.accept(manager, subject));
    manager.flush();
  }
}
