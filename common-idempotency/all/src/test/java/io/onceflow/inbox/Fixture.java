package io.onceflow.inbox;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.parking.Parking;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.inbox.internal.participant.ParticipantRepository;
import io.onceflow.outbox.PlainUnitOfWork;
import io.onceflow.participant.internal.CompositeRepository;
import io.onceflow.participant.internal.HandlerMethods;
import io.onceflow.test.internal.TestConfig;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.awaitility.Awaitility;

/** Participants of a test, as many as it wants, on one database, with one world outside. */
public final class Fixture implements AutoCloseable {

  public static final ObjectMapper JSON = JsonMapper.builder().findAndAddModules().build();

  static {
    // What is waited for here takes milliseconds.
    Awaitility.setDefaultPollDelay(Duration.ZERO);
    Awaitility.setDefaultPollInterval(Duration.ofMillis(10));
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
            PlainUnitOfWork.on(database),
            parking(),
            config,
            JSON,
            Clock.systemUTC(),
            metrics);
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
