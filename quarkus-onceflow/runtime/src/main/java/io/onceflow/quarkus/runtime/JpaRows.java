package io.onceflow.quarkus.runtime;

import io.onceflow.participant.internal.RowKinds;
import io.onceflow.participant.internal.SharedRows;
import io.quarkus.arc.Arc;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.metamodel.EntityType;
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
final class JpaRows<S> implements SharedRows<S> {

  private final EntityManager entities;
  private final Class<S> type;
  private final String select;

  private JpaRows(EntityManager entities, Class<S> type) {
    this.entities = entities;
    this.type = type;
    String id = idOf(entities, type);
    // The same order everywhere: two batches cannot deadlock.
    this.select =
        "SELECT e FROM %s e WHERE e.%s IN :ids ORDER BY e.%s"
            .formatted(entities.getMetamodel().entity(type).getName(), id, id);
  }

  static void addTo(RowKinds rows, List<Class<?>> types) {
    EntityManager entities = Arc.container().instance(EntityManager.class).get();
    types.forEach(type -> add(rows, entities, type));
  }

  private static <S> void add(RowKinds rows, EntityManager entities, Class<S> type) {
    rows.with(type, new JpaRows<>(entities, type));
  }

  private static String idOf(EntityManager entities, Class<?> type) {
    EntityType<?> entity = entities.getMetamodel().entity(type);
    if (entity.getIdType().getJavaType() != UUID.class) {
      throw new IllegalArgumentException(
          "%s is decided on by a handler, so its @Id has to be a UUID: the id in the command"
              .formatted(type.getName()));
    }
    return entity.getId(UUID.class).getName();
  }

  @Override
  public Map<UUID, List<S>> load(Connection connection, Set<UUID> ids) {
    Map<UUID, List<S>> found = new HashMap<>();
    entities
        .createQuery(select, type)
        .setParameter("ids", ids)
        .setLockMode(LockModeType.PESSIMISTIC_WRITE)
        .getResultList()
        .forEach(row -> found.put(id(row), List.of(row)));
    return found;
  }

  private UUID id(S row) {
    return (UUID) entities.getEntityManagerFactory().getPersistenceUnitUtil().getIdentifier(row);
  }

  /** Flushes, so that what the database refuses is known before anything is answered. */
  @Override
  public void save(Connection connection, Collection<S> rows) {
    for (S row : rows) {
      if (!entities.contains(row)) {
        entities.persist(row);
      }
    }
    entities.flush();
  }
}
