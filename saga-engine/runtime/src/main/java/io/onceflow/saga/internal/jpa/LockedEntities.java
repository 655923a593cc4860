package io.onceflow.saga.internal.jpa;

import io.quarkus.arc.Arc;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.metamodel.EntityType;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Entities of one type, locked in the JTA transaction that is open. They are in its persistence
 * context, which is thrown away with it.
 *
 * @param <E> the entity, which has a UUID as its {@code @Id}
 */
public final class LockedEntities<E> {

  private final EntityManager entities;
  private final EntityType<E> type;
  private final String select;

  private LockedEntities(EntityManager entities, EntityType<E> type) {
    this.entities = entities;
    this.type = type;
    String id = type.getId(UUID.class).getName();
    // The same order everywhere: two batches cannot deadlock.
    this.select =
        "SELECT e FROM %s e WHERE e.%s IN :ids ORDER BY e.%s".formatted(type.getName(), id, id);
  }

  /**
   * Those of the application's persistence unit.
   *
   * @throws IllegalArgumentException where the {@code @Id} is no UUID
   */
  public static <E> LockedEntities<E> of(Class<E> type) {
    EntityManager entities = Arc.container().instance(EntityManager.class).get();
    EntityType<E> entity = entities.getMetamodel().entity(type);
    if (entity.getIdType().getJavaType() != UUID.class) {
      throw new IllegalArgumentException(
          "%s is what a saga or a handler is about, so its @Id has to be a UUID"
              .formatted(type.getName()));
    }
    return new LockedEntities<>(entities, entity);
  }

  /** Through which they are read and written. */
  public EntityManager manager() {
    return entities;
  }

  /** The entity's name. */
  public String name() {
    return type.getName();
  }

  /** The id of one. */
  public UUID id(E entity) {
    return (UUID) entities.getEntityManagerFactory().getPersistenceUnitUtil().getIdentifier(entity);
  }

  /** Locks those of these ids that exist, in the order of their ids. */
  public List<E> lock(Set<UUID> ids) {
    return entities
        .createQuery(select, type.getJavaType())
        .setParameter("ids", ids)
        .setLockMode(LockModeType.PESSIMISTIC_WRITE)
        .getResultList();
  }
}
