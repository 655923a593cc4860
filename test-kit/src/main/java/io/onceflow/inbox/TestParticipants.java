package io.onceflow.inbox;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.InboxStore;
import io.onceflow.inbox.internal.call.CallBackoff;
import io.onceflow.inbox.internal.call.LaneCallExecutor;
import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.consumer.BatchWorker;
import io.onceflow.inbox.internal.parking.FailedMessages;
import io.onceflow.inbox.internal.parking.ParkedMessages;
import io.onceflow.inbox.internal.parking.Parking;
import io.onceflow.inbox.internal.participant.CommandHandler;
import io.onceflow.inbox.internal.participant.CommandReader;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.inbox.internal.participant.ParticipantDependencies;
import io.onceflow.inbox.internal.participant.ParticipantRepository;
import io.onceflow.outbox.PlainUnitOfWork;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.test.internal.TestConfig;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import javax.sql.DataSource;

/** Makes participants and what goes with them without an application around them. */
public final class TestParticipants {

  /** Long enough for a call that a test holds back; no test waits for its end. */
  private static final InboxConfig CONFIG =
      TestConfig.inbox(
          Map.of(
              "lease",
              Duration.ofSeconds(90),
              "call-out.deadline",
              Duration.ofSeconds(60),
              "call-out.first-backoff",
              Duration.ofMillis(20),
              "call-out.longest-backoff",
              Duration.ofMillis(50)));

  private static final InboxConfig AT_ONCE =
      TestConfig.inbox(
          Map.of("handling.first-backoff", "PT0S", "handling.longest-backoff", "PT0S"));

  private TestParticipants() {}

  /** One that works as in production, with short pauses; not started. */
  public static <S> Participant<S> on(
      DataSource database,
      ObjectMapper json,
      ParticipantRepository<S> rows,
      Collection<? extends CommandHandler<?, S>> handlers) {
    return on(PlainUnitOfWork.on(database), json, rows, handlers, Clock.systemUTC());
  }

  public static <S> Participant<S> on(
      UnitOfWork unitOfWork,
      ObjectMapper json,
      ParticipantRepository<S> rows,
      Collection<? extends CommandHandler<?, S>> handlers,
      Clock clock) {
    return new Participant<>(environment(unitOfWork, json, clock), rows, handlers);
  }

  public static <S> Participant<S> on(
      DataSource database,
      ObjectMapper json,
      ParticipantRepository<S> rows,
      Collection<? extends CommandHandler<?, S>> handlers,
      InboxStore inbox) {
    Participant.Environment environment =
        environment(PlainUnitOfWork.on(database), json, Clock.systemUTC());
    ParticipantDependencies<S> dependencies =
        ParticipantDependencies.of(
            environment,
            rows,
            new CommandReader<>(handlers, json),
            inbox,
            new CallBackoff(CONFIG.callOut()),
            System::nanoTime);
    return new Participant<>(
        environment,
        dependencies,
        results ->
            new LaneCallExecutor<>(
                CONFIG.callOut(),
                new BatchWorker<>("results", 128, results),
                new SimpleMeterRegistry()));
  }

  /** Where a test's consumer parks what it cannot handle. */
  public static Parking parking(ObjectMapper json) {
    return new Parking(json, new SimpleMeterRegistry());
  }

  /** Tries again what is parked because its handling failed, without a pause. */
  public static FailedMessages failed(
      DataSource database, ObjectMapper json, BatchSettler settler) {
    ParkedMessages parked = new ParkedMessages(database, json, new SimpleMeterRegistry());
    return new FailedMessages(settler, parked, AT_ONCE);
  }

  private static Participant.Environment environment(
      UnitOfWork unitOfWork, ObjectMapper json, Clock clock) {
    return new Participant.Environment(
        "test-service", unitOfWork, parking(json), CONFIG, json, clock, new SimpleMeterRegistry());
  }
}
