package io.onceflow.test.races;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.TestParticipants;
import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.parking.FailedMessages;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.outbox.RelayTurn;
import io.onceflow.outbox.internal.transport.Publisher;
import io.onceflow.participant.internal.HandlerMethod;
import io.onceflow.participant.internal.HandlerMethods;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * A service as the races see it: its database, and how one of its processes is started. No
 * application runs beside it on that database.
 */
public interface RacedService {

  /** Its database, with the tables of inbox and outbox and its own. */
  DataSource database();

  /** Starts what consumes messages in one process, on a connection of that process's own. */
  Consumer start(DataSource database, Gates gates);

  /** The steps of its commands, by their types; empty for one that carries out none. */
  default Map<String, String> steps() {
    return Map.of();
  }

  /** Has what lies in the outbox published, once; the product's relay unless it is replaced. */
  default void relay(DataSource connection, Publisher publisher)
      throws SQLException, IOException, InterruptedException {
    RelayTurn.take(connection, publisher);
  }

  /**
   * What consumes messages in one process.
   *
   * @param settler what is done with messages that arrive
   * @param recovery of steps whose leases have ended
   * @param failed retries what is parked because its handling failed
   * @param closing ends it
   */
  record Consumer(
      BatchSettler settler, Recovery recovery, FailedMessages failed, Runnable closing) {}

  /** Takes over steps whose leases have ended. */
  @FunctionalInterface
  interface Recovery {

    /** Returns how many. */
    int recover() throws SQLException;
  }

  /**
   * A service that carries out commands.
   *
   * @param json how its payloads are read and written
   * @param handlers all that it has
   */
  static RacedService of(DataSource database, ObjectMapper json, HandlerMethods handlers) {
    return new OfCommands(database, json, handlers);
  }

  /** See {@link #of}. */
  record OfCommands(DataSource database, ObjectMapper json, HandlerMethods handlers)
      implements RacedService {

    @Override
    public Consumer start(DataSource connection, Gates gates) {
      HandlerMethods gated = handlers.through(gates::around);
      return consumer(TestParticipants.on(connection, json, gated), connection, json);
    }

    @Override
    public Map<String, String> steps() {
      return handlers.all().stream()
          .collect(Collectors.toMap(HandlerMethod::type, HandlerMethod::step));
    }
  }

  /** Starts a participant. */
  static Consumer consumer(Participant participant, DataSource database, ObjectMapper json) {
    FailedMessages failed = TestParticipants.failed(database, json, participant);
    participant.start();
    return new Consumer(participant, participant::recover, failed, participant::close);
  }

  /** A consumer without steps of its own to take over, such as of replies or events. */
  static Consumer consumer(BatchSettler settler, DataSource database, ObjectMapper json) {
    FailedMessages failed = TestParticipants.failed(database, json, settler);
    return new Consumer(settler, () -> 0, failed, () -> {});
  }
}
