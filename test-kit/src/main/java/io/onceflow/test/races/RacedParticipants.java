package io.onceflow.test.races;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.onceflow.inbox.internal.consumer.StrictJson;
import io.onceflow.inbox.internal.participant.ParticipantRepository;
import io.onceflow.participant.internal.CompositeRepository;
import io.onceflow.participant.internal.HandlerMethods;
import io.onceflow.saga.internal.jpa.JpaParticipantRepository;
import io.onceflow.test.JpaEntities;
import java.util.stream.Stream;
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
  private final CompositeRepository rows = new CompositeRepository();

  private RacedParticipants(DataSource database) {
    this.database = database;
  }

  /** Begins with the database, which has the tables of Onceflow and of the application. */
  public static RacedParticipants on(DataSource database) {
    return new RacedParticipants(database);
  }

  /** Has handlers decide on rows of this type, which are kept so. */
  public <S> RacedParticipants with(Class<S> type, ParticipantRepository<? extends S> kept) {
    rows.with(type, kept);
    return this;
  }

  /**
   * Has handlers decide on JPA entities of these types, which are read and written as in the
   * application. Needs Hibernate ORM and {@code onceflow-saga} on the class path.
   */
  public RacedParticipants withEntities(Class<?>... types) {
    JpaEntities entities = JpaEntities.on(database, types);
    Stream.of(types).forEach(type -> add(type, entities));
    return this;
  }

  private <E> void add(Class<E> type, JpaEntities entities) {
    rows.with(type, new JpaParticipantRepository<>(entities.of(type)));
  }

  /** The service of these participants. */
  public RacedService of(Object... participants) {
    return RacedService.of(database, JSON, rows, HandlerMethods.of(rows, JSON, participants));
  }
}
