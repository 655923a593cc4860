package io.onceflow.test;

import io.onceflow.saga.internal.jpa.LockedEntities;
import jakarta.persistence.EntityManager;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.IdentityHashMap;
import java.util.Map;
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
