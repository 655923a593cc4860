package io.onceflow.inbox;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.parking.FailedMessages;
import io.onceflow.inbox.internal.parking.ParkedMessages;
import io.onceflow.inbox.internal.parking.Parking;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.inbox.internal.participant.Recovery;
import io.onceflow.outbox.PlainUnitOfWork;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.participant.internal.HandlerMethods;
import io.onceflow.test.internal.TestConfig;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;

/** Makes participants and what goes with them without an application around them. */
public final class TestParticipants {

  /** Long enough for a call that a test holds back; no test waits for its end. */
  static final InboxConfig CONFIG =
      TestConfig.inbox(
          Map.of(
              "lease", "PT90S",
              "call-out.deadline", "PT60S",
              "call-out.first-backoff", "PT0.02S",
              "call-out.longest-backoff", "PT0.05S"));

  private static final InboxConfig AT_ONCE =
      TestConfig.inbox(
          Map.of("handling.first-backoff", "PT0S", "handling.longest-backoff", "PT0S"));

  private TestParticipants() {}

  /** One that works as in production, with short pauses; not started. */
  public static Participant on(DataSource database, ObjectMapper json, HandlerMethods handlers) {
    return new Participant(
        environment(PlainUnitOfWork.on(database), json, Clock.systemUTC()), handlers);
  }

  /** Where a test's consumer parks what it cannot handle. */
  public static Parking parking(ObjectMapper json) {
    return new Parking(json, new SimpleMeterRegistry(), CONFIG);
  }

  /** Retries what is parked because its handling failed, without a pause. */
  public static FailedMessages failed(
      DataSource database, ObjectMapper json, BatchSettler settler) {
    ParkedMessages parked = new ParkedMessages(database, json, new SimpleMeterRegistry());
    return new FailedMessages(settler, parked, AT_ONCE);
  }

  /** Takes up what is due of it. */
  public static Recovery recovery(
      Participant participant, FailedMessages failed, Duration interval) {
    return new Recovery(
        interval, System::nanoTime, Recovery.of(participant), () -> failed.tryAgain() > 0);
  }

  static Participant.Environment environment(
      UnitOfWork unitOfWork, ObjectMapper json, Clock clock) {
    return new Participant.Environment(
        "test-service",
        unitOfWork,
        parking(json),
        CONFIG,
        json,
        clock,
        new SimpleMeterRegistry(),
        () -> 0);
  }
}
