package io.onceflow.saga.internal.runtime;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.core.IdempotencyKey;
import io.onceflow.idempotency.GuardedRequest;
import io.onceflow.idempotency.GuardedRequest.SharedWrite;
import io.onceflow.idempotency.Lease;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaRepository;
import io.onceflow.saga.Sagas;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What runs sagas, without an application around it. */
public final class TestRuntime {

  private final SagaConfig config;
  private final SagaMessages messages;
  private final Clock clock = Clock.tickMillis(ZoneOffset.UTC);

  /**
   * @param application the orchestrator's name
   * @param startVersion which version is started of which definition
   */
  public TestRuntime(ObjectMapper json, String application, Map<String, Integer> startVersion) {
    this.config = new Patience(startVersion);
    this.messages = new SagaMessages(json, application);
  }

  public SagaConfig config() {
    return config;
  }

  public SagaMessages messages() {
    return messages;
  }

  public Clock clock() {
    return clock;
  }

  /** All sagas that run. */
  public SagaRunners runners(
      List<Saga<?>> sagas, List<SagaRepository<?>> repositories, UnitOfWork unitOfWork) {
    return new SagaRunners(
        new RunnerFactory(
            sagas,
            repositories,
            messages,
            unitOfWork.database(),
            new SimpleMeterRegistry(),
            new MinuteCounter(clock, config),
            clock,
            config),
        config,
        messages,
        unitOfWork);
  }

  /** The same for an application's own code, outside of any request. */
  public Sagas sagas(SagaRunners runners, UnitOfWork unitOfWork) {
    return new RunningSagas(
        runners, signals(runners), unitOfWork, new NoRequest(), () -> "no-caller");
  }

  /** What they are told of events. */
  public SagaSignals signals(SagaRunners runners) {
    return new SagaSignals(runners, messages, clock);
  }

  /** Code that runs outside of any guarded request. */
  private static final class NoRequest implements GuardedRequest {

    @Override
    public IdempotencyKey key() {
      throw new IllegalStateException("no request");
    }

    @Override
    public Lease lease() {
      throw new IllegalStateException("no request");
    }

    @Override
    public <T> void write(SharedWrite<T> writer, T item) {
      throw new IllegalStateException("no request");
    }

    @Override
    public void requireTransactional() {
      // Nothing else is under way.
    }
  }

  /** As in production; no timer fires in these tests. */
  private record Patience(Map<String, Integer> startVersion) implements SagaConfig {

    @Override
    public Optional<String> traceUrl() {
      return Optional.empty();
    }

    @Override
    public Duration timerInterval() {
      return Duration.ofSeconds(1);
    }

    @Override
    public Duration firstSweepAfter() {
      return Duration.ofSeconds(5);
    }

    @Override
    public Duration longestWait() {
      return Duration.ofMinutes(5);
    }

    @Override
    public int stuckAfter() {
      return 10;
    }

    @Override
    public Duration stuckWait() {
      return Duration.ofMinutes(30);
    }

    @Override
    public int quarantineAfter() {
      return 5;
    }

    @Override
    public Replies replies() {
      return new Believed();
    }

    @Override
    public long mostUnderWay() {
      return 10_000;
    }

    @Override
    public Duration retention() {
      return Duration.ofDays(90);
    }

    @Override
    public Duration rootKeyRetention() {
      return Duration.ofDays(400);
    }

    @Override
    public Duration minutesRetention() {
      return Duration.ofDays(14);
    }
  }

  private record Believed() implements SagaConfig.Replies {

    @Override
    public Map<String, String> participants() {
      return Map.of();
    }
  }
}
