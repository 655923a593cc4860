package io.onceflow.saga.internal.jpa;

import io.quarkus.arc.Arc;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.LockModeType;
import jakarta.persistence.metamodel.EntityType;
import java.sql.Connection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.hibernate.Hibernate;
import org.hibernate.engine.spi.SessionImplementor;
import org.jspecify.annotations.Nullable;

/**
 * Entities of one type, locked in the transaction that is open. They are in its persistence
 * context, which is thrown away with it.
 *
 * @param <E> the entity, which has a UUID as its {@code @Id}
 */
public final class LockedEntities<E> {

  private final EntityManagerFactory factory;
  private final Function<Connection, EntityManager> managers;
  private final EntityType<E> type;
  private final String select;

  private LockedEntities(
      EntityManagerFactory factory,
      Function<Connection, EntityManager> managers,
      EntityType<E> type) {
    this.factory = factory;
    this.managers = managers;
    this.type = type;
    String id = type.getId(UUID.class).getName();
    // The same order everywhere: two batches cannot deadlock.
    this.select =
        "SELECT e FROM %s e WHERE e.%s IN :ids ORDER BY e.%s".formatted(type.getName(), id, id);
  }

  /**
   * Those of the application's persistence unit, in the open JTA transaction.
   *
   * @throws IllegalArgumentException where the {@code @Id} is no UUID, or the entity is of another
   *     persistence unit than the default one
   */
  public static <E> LockedEntities<E> of(Class<E> type) {
    @Nullable EntityManager ofTransaction = Arc.container().instance(EntityManager.class).get();
    if (ofTransaction == null) {
      throw new IllegalArgumentException(
          ("%s is what a saga or a handler is about, and the application has no default persistence"
                  + " unit; it is written in the transactions of the default data source, so list"
                  + " its package in quarkus.hibernate-orm.packages")
              .formatted(type.getName()));
    }
    return of(type, ofTransaction.getEntityManagerFactory(), connection -> ofTransaction);
  }

  /**
   * Those of any persistence unit.
   *
   * @param managers the persistence context of the transaction that a connection has open
   * @throws IllegalArgumentException where the {@code @Id} is no UUID
   */
  public static <E> LockedEntities<E> of(
      Class<E> type, EntityManagerFactory factory, Function<Connection, EntityManager> managers) {
    EntityType<E> entity = factory.getMetamodel().entity(type);
    if (entity.getIdType().getJavaType() != UUID.class) {
      throw new IllegalArgumentException(
          "%s is what a saga or a handler is about, so its @Id has to be a UUID"
              .formatted(type.getName()));
    }
    return new LockedEntities<>(factory, managers, entity);
  }

  /** The persistence context of the transaction that a connection has open. */
  EntityManager manager(Connection tx) {
    return managers.apply(tx);
  }

  String name() {
    return type.getName();
  }

  UUID id(E entity) {
    return (UUID) factory.getPersistenceUnitUtil().getIdentifier(entity);
  }

  /**
   * Locks and reads those of these ids that exist, in the order of their ids, in one query. An
   * entity that the persistence context had before is read once more by itself: the query locks it
   * and leaves it as it was.
   */
  List<E> lock(Connection tx, Set<UUID> ids) {
    EntityManager entities = manager(tx);
    Set<Object> readBefore = allOf(entities);
    List<E> locked =
        entities
            .createQuery(select, type.getJavaType())
            .setParameter("ids", ids)
            .setLockMode(LockModeType.PESSIMISTIC_WRITE)
            .getResultList();
    locked.stream()
        .filter(entity -> readBefore.contains(Hibernate.unproxy(entity)))
        .forEach(entities::refresh);
    return locked;
  }

  /** All entities in a persistence context. */
  private static Set<Object> allOf(EntityManager entities) {
    Set<Object> all = Collections.newSetFromMap(new IdentityHashMap<>());
    all.addAll(
        entities
            .unwrap(SessionImplementor.class)
            .getPersistenceContext()
            .getEntitiesByKey()
            .values());
    return all;
  }
}
