package io.onceflow.saga.jpa;

import io.onceflow.outbox.Transaction;
import io.onceflow.saga.api.SagaRepository;
import io.quarkus.arc.Arc;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.metamodel.EntityType;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
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

  private final EntityManager entities;
  private final Class<D> type;
  private final String select;

  private JpaSagaRepository(EntityManager entities, Class<D> type) {
    this.entities = entities;
    this.type = type;
    String id = idOf(entities, type);
    // The same order everywhere: two batches cannot deadlock.
    this.select =
        "SELECT e FROM %s e WHERE e.%s IN :ids ORDER BY e.%s"
            .formatted(entities.getMetamodel().entity(type).getName(), id, id);
  }

  /** One of this entity, on the application's persistence unit. */
  public static <D> SagaRepository<D> of(Class<D> type) {
    return new JpaSagaRepository<>(Arc.container().instance(EntityManager.class).get(), type);
  }

  private static String idOf(EntityManager entities, Class<?> type) {
    EntityType<?> entity = entities.getMetamodel().entity(type);
    if (entity.getIdType().getJavaType() != UUID.class) {
      throw new IllegalArgumentException(
          "%s is the subject of a saga, so its @Id has to be a UUID".formatted(type.getName()));
    }
    return entity.getId(UUID.class).getName();
  }

  @Override
  public UUID id(D subject) {
    return (UUID)
        entities.getEntityManagerFactory().getPersistenceUnitUtil().getIdentifier(subject);
  }

  @Override
  public String type() {
    return entities.getMetamodel().entity(type).getName();
  }

  /** One that the transaction had read before it was locked is read again. */
  @Override
  public Map<UUID, D> load(Transaction tx, Set<UUID> ids) {
    List<D> locked =
        entities
            .createQuery(select, type)
            .setParameter("ids", ids)
            .setLockMode(LockModeType.PESSIMISTIC_WRITE)
            .getResultList();
    Map<UUID, D> loaded = new HashMap<>();
    for (D subject : locked) {
      entities.refresh(subject);
      loaded.put(id(subject), subject);
    }
    return loaded;
  }

  @Override
  public void insert(Transaction tx, Collection<D> subjects) {
    subjects.stream().filter(subject -> !entities.contains(subject)).forEach(entities::persist);
    entities.flush();
  }

  /** Flushes, so that what the database refuses is known before anything is sent. */
  @Override
  public void save(Transaction tx, Collection<D> changed) {
    changed.stream().filter(subject -> !entities.contains(subject)).forEach(entities::merge);
    entities.flush();
  }
}
