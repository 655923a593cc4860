package io.onceflow.saga.internal.jpa;

import io.onceflow.inbox.internal.InboxConflict;
import io.onceflow.inbox.internal.participant.ParticipantRepository;
import io.onceflow.internal.database.FailureKind;
import io.quarkus.arc.Arc;
import jakarta.persistence.EntityManager;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.PersistenceException;
import jakarta.persistence.metamodel.Attribute;
import jakarta.persistence.metamodel.EntityType;
import jakarta.persistence.metamodel.SingularAttribute;
import java.lang.reflect.AnnotatedElement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * JPA entities that handlers save with their step and do not take: new ones, or those that they
 * have read themselves. They may have an id of any type.
 *
 * <p>An entity is taken for a new one and inserted, without a look for its row. Where there is one,
 * the step is recorded by a second attempt, and entities of that class are looked for from then on.
 */
public final class SavedEntities implements ParticipantRepository<Object> {

  private final EntityManager manager;

  /** The classes of which rows were there already. */
  private final Set<Class<?>> lookedFor;

  /**
   * @param manager the persistence context of the open JTA transaction
   * @param lookedFor a concurrent set that outlives the transaction, empty at first
   */
  public SavedEntities(EntityManager manager, Set<Class<?>> lookedFor) {
    this.manager = manager;
    this.lookedFor = lookedFor;
  }

  /** Those of the application's persistence unit. */
  public static SavedEntities ofApplication() {
    return new SavedEntities(
        Arc.container().instance(EntityManager.class).get(), ConcurrentHashMap.newKeySet());
  }

  public EntityManager manager() {
    return manager;
  }

  @Override
  public Map<UUID, List<Object>> load(Connection tx, Set<UUID> ids) {
    return Map.of();
  }

  /** Flushes, so that a row that the database rejects is known before anything is answered. */
  @Override
  public void save(Connection tx, Collection<Object> rows) throws SQLException {
    // Rows of one class after each other go to the database together.
    List<Object> others =
        rows.stream()
            .filter(row -> !manager.contains(row))
            .sorted(Comparator.comparing(row -> row.getClass().getName()))
            .toList();
    Set<Class<?>> inserted =
        others.stream().<Class<?>>map(Object::getClass).collect(Collectors.toSet());
    inserted.removeAll(lookedFor);
    try {
      Set<Class<?>> persisted =
          inserted.stream().filter(this::isUnchangedByInsert).collect(Collectors.toSet());
      for (Object row : others) {
        if (persisted.contains(row.getClass())) {
          manager.persist(row);
        } else {
          manager.merge(row);
        }
      }
      manager.flush();
    } catch (PersistenceException | IllegalArgumentException failure) {
      if (inserted.isEmpty() || FailureKind.of(failure) != FailureKind.OTHER) {
        throw failure;
      }
      lookedFor.addAll(inserted);
      InboxConflict again = new InboxConflict("a row that is to be saved");
      again.addSuppressed(failure);
      throw again;
    }
  }

  /**
   * Whether the same instance can be inserted once more after a transaction that was rolled back: a
   * generated id or version would say that it has a row. Where one is generated, a new entity is
   * merged without a look.
   */
  private boolean isUnchangedByInsert(Class<?> type) {
    EntityType<?> entity = manager.getMetamodel().entity(type);
    return !entity.hasVersionAttribute()
        && entity.getSingularAttributes().stream()
            .filter(SingularAttribute::isId)
            .map(Attribute::getJavaMember)
            .noneMatch(
                member ->
                    member instanceof AnnotatedElement id
                        && id.isAnnotationPresent(GeneratedValue.class));
  }
}
