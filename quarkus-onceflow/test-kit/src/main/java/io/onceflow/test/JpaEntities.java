package io.onceflow.test;

import io.onceflow.inbox.internal.participant.ParticipantRepository;
import io.onceflow.saga.internal.jpa.LockedEntities;
import io.onceflow.saga.internal.jpa.SavedEntities;
import jakarta.persistence.EntityManager;
import jakarta.persistence.metamodel.Metamodel;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.cfg.Configuration;

/**
 * JPA entities without Quarkus, for tests that open their transactions themselves: Hibernate has a
 * session on the connection of each transaction. The test commits; Hibernate only flushes.
 */
public final class JpaEntities {

  private final SessionFactory factory;
  private final Map<Connection, Session> sessions = new IdentityHashMap<>();

  private JpaEntities(SessionFactory factory) {
    this.factory = factory;
  }

  /** Maps entities of these types to tables that the database has. */
  public static JpaEntities on(DataSource database, Class<?>... types) {
    Configuration configuration = new Configuration();
    configuration.getProperties().put(AvailableSettings.JAKARTA_NON_JTA_DATASOURCE, database);
    Stream.of(types).forEach(configuration::addAnnotatedClass);
    return new JpaEntities(configuration.buildSessionFactory());
  }

  /** Those of one type, as the product locks them. */
  public <E> LockedEntities<E> of(Class<E> type) {
    return LockedEntities.of(type, factory, this::sessionOf);
  }

  /**
   * Whether entities of this type have a UUID as their {@code @Id}, by which commands find them.
   */
  public static boolean haveUuid(Class<?> type, Metamodel entities) {
    return entities.entity(type).getIdType().getJavaType() == UUID.class;
  }

  /** What Hibernate knows of their types. */
  public Metamodel metamodel() {
    return factory.getMetamodel();
  }

  /** Those that are saved and not taken, with ids of any type. */
  public ParticipantRepository<Object> saved() {
    Set<Class<?>> lookedFor = ConcurrentHashMap.newKeySet();
    return new ParticipantRepository<>() {
      @Override
      public Map<UUID, List<Object>> load(Connection tx, Set<UUID> ids) {
        return Map.of();
      }

      @Override
      public void save(Connection tx, Collection<Object> rows) throws SQLException {
        new SavedEntities(sessionOf(tx), lookedFor).save(tx, rows);
      }
    };
  }

  private synchronized EntityManager sessionOf(Connection tx) {
    sessions.keySet().removeIf(JpaEntities::hasEnded);
    return sessions.computeIfAbsent(tx, this::open);
  }

  private Session open(Connection tx) {
    Session session = factory.withOptions().connection(tx).openSession();
    session.beginTransaction();
    return session;
  }

  private static boolean hasEnded(Connection tx) {
    try {
      return tx.isClosed();
    } catch (SQLException e) {
      return true;
    }
  }
}
