package io.onceflow.test.races;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.onceflow.inbox.internal.consumer.StrictJson;
import io.onceflow.inbox.internal.participant.ParticipantRepository;
import io.onceflow.participant.internal.CompositeRepository;
import io.onceflow.participant.internal.HandlerInvoker;
import io.onceflow.participant.internal.HandlerMethods;
import io.onceflow.participant.internal.Invocation;
import io.onceflow.saga.internal.jpa.JpaParticipantRepository;
import io.onceflow.saga.internal.jpa.LockedEntities;
import io.onceflow.saga.internal.jpa.SavedEntities;
import io.onceflow.test.JpaEntities;
import io.quarkus.arc.Arc;
import io.quarkus.arc.ArcContainer;
import jakarta.transaction.UserTransaction;
import java.util.List;
import javax.sql.DataSource;

/**
 * Makes the service of a race from the application's participants: beans with {@code @Handles}
 * methods, made with {@code new}.
 *
 * <pre>{@code
 * RacedParticipants.on(database).with(Payment.class, new PaymentTable()).of(new Payments(gateway))
 * }</pre>
 */
public final class RacedParticipants {

  /** As the extension reads and writes payloads. */
  private static final ObjectMapper JSON =
      StrictJson.of(JsonMapper.builder().findAndAddModules().build());

  private final DataSource database;
  private final ObjectMapper json;
  private final boolean isApplication;
  private final CompositeRepository rows = new CompositeRepository();

  private RacedParticipants(DataSource database, ObjectMapper json, boolean isApplication) {
    this.database = database;
    this.json = json;
    this.isApplication = isApplication;
  }

  /** Starts with the database, which has the tables of Onceflow and of the application. */
  public static RacedParticipants on(DataSource database) {
    return new RacedParticipants(database, JSON, false);
  }

  /**
   * Starts with the running application, on its database: for handlers that query by Panache or an
   * {@code EntityManager}, or use other beans that need it. They are given as injected beans. The
   * test is a {@code @QuarkusTest} with the profile {@link RacedApplication}, so that the
   * application itself takes over no step of a race.
   */
  public static RacedParticipants inApplication() {
    ArcContainer application = Arc.container();
    return new RacedParticipants(
        JtaConnections.on(
            application.instance(DataSource.class).get(),
            application.instance(UserTransaction.class).get()),
        StrictJson.of(application.instance(ObjectMapper.class).get()),
        true);
  }

  /** Has handlers decide on rows of this type, which are kept so. */
  public <S> RacedParticipants with(Class<S> type, ParticipantRepository<? extends S> kept) {
    rows.with(type, kept);
    return this;
  }

  /**
   * Has handlers decide on JPA entities of these types and save them, which are read and written as
   * in the application. Those that handlers only save may have an id of any type. Needs Hibernate
   * ORM and {@code onceflow-saga} on the class path.
   */
  public RacedParticipants withEntities(Class<?>... types) {
    List<Class<?>> listed = List.of(types);
    if (isApplication) {
      SavedEntities saved = SavedEntities.ofApplication();
      listed.stream()
          .filter(type -> JpaEntities.haveUuid(type, saved.manager().getMetamodel()))
          .forEach(type -> add(type, LockedEntities.of(type)));
      rows.saving(listed::contains, saved);
    } else {
      JpaEntities entities = JpaEntities.on(database, types);
      listed.stream()
          .filter(type -> JpaEntities.haveUuid(type, entities.metamodel()))
          .forEach(type -> add(type, entities.of(type)));
      rows.saving(listed::contains, entities.saved());
    }
    return this;
  }

  private <E> void add(Class<?> type, LockedEntities<E> entities) {
    rows.with(unchecked(type), new JpaParticipantRepository<>(entities));
  }

  /** The entities' type. */
  @SuppressWarnings("unchecked")
  private static <E> Class<E> unchecked(Class<?> type) {
    return (Class<E>) type;
  }

  /** The service of these participants. */
  public RacedService of(Object... participants) {
    HandlerInvoker invoker =
        isApplication ? Invocation::inRequestContext : Invocation::reflectively;
    return RacedService.of(
        database, json, new HandlerMethods(rows, json, invoker).and(participants));
  }
}
