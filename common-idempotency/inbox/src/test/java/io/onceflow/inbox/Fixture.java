package io.onceflow.inbox;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.parking.FailedMessages;
import io.onceflow.inbox.internal.parking.ParkedMessages;
import io.onceflow.inbox.internal.parking.Parking;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.inbox.internal.participant.ParticipantRepository;
import io.onceflow.inbox.internal.participant.Recovery;
import io.onceflow.outbox.OwnUnitOfWork;
import io.onceflow.participant.internal.CompositeRepository;
import io.onceflow.participant.internal.HandlerMethods;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.awaitility.Awaitility;

/** Participants of a test, as many as it wants, on one database, with one world outside. */
public final class Fixture implements AutoCloseable {

  public static final ObjectMapper JSON = JsonMapper.builder().findAndAddModules().build();

  static {
    // What is waited for here takes milliseconds.
    Awaitility.setDefaultPollDelay(Duration.ZERO);
    Awaitility.setDefaultPollInterval(Duration.ofMillis(10));
    Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
  }

  public final World world = new World();
  public final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final List<Runnable> closing = new ArrayList<>();

  public Participant participant() {
    return participant(TestConfig.inbox());
  }

  public Participant participant(InboxConfig config) {
    return participant(config, Saga.PAYMENTS.source(), Handlers.all(world));
  }

  /** Of these beans, whose rows are charges. */
  public Participant participant(InboxConfig config, DataSource database, Object... beans) {
    return participant(config, database, handlers(new ChargeRows(), beans));
  }

  public Participant participant(InboxConfig config, DataSource database, HandlerMethods handlers) {
    var environment =
        new Participant.Environment(
            "test-service",
            OwnUnitOfWork.on(database),
            parking(),
            config,
            JSON,
            Clock.systemUTC(),
            metrics,
            () -> 0);
    Participant participant = new Participant(environment, handlers);
    participant.start();
    closing.add(participant::close);
    return participant;
  }

  static HandlerMethods handlers(ParticipantRepository<Charge> rows, Object... beans) {
    return HandlerMethods.of(new CompositeRepository().with(Charge.class, rows), JSON, beans);
  }

  public BatchConsumer intake(BatchSettler settler) {
    if (settler instanceof Participant participant) {
      return participant.consumer();
    }
    BatchConsumer consumer = new BatchConsumer("test", 128, settler);
    consumer.start();
    closing.add(consumer::close);
    return consumer;
  }

  /** Takes up what is due of it, twenty times a second, and failed messages without a pause. */
  Recovery recovery(Participant participant) {
    Map<String, String> atOnce =
        Map.of("handling.first-backoff", "PT0S", "handling.longest-backoff", "PT0S");
    return recovery(
        participant,
        new FailedMessages(
            participant,
            new ParkedMessages(Saga.PAYMENTS.source(), JSON, metrics),
            TestConfig.inbox(atOnce)),
        Duration.ofMillis(50));
  }

  static Recovery recovery(Participant participant, FailedMessages failed, Duration interval) {
    return new Recovery(
        interval, System::nanoTime, Recovery.of(participant), () -> failed.tryAgain() > 0);
  }

  public Parking parking() {
    return new Parking(JSON, metrics, TestConfig.inbox());
  }

  /** How many commands came to this, as the participants count them. */
  public double counted(String outcome) {
    var counter = metrics.find("onceflow.inbox.commands").tag("outcome", outcome).counter();
    return counter == null ? 0 : counter.count();
  }

  @Override
  public void close() {
    closing.reversed().forEach(Runnable::run);
  }
}
