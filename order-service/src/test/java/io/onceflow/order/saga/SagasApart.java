package io.onceflow.order.saga;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;

/** The service's sagas without an application around them. */
public final class SagasApart {

  /** Those that place orders. */
  public final OrderSagas orders;

  /** Those that take orders back. */
  public final ReturnSagas returns;

  /** All of them. */
  public final SagaRunners all;

  /**
   * @param json how messages are written and orders are read
   */
  public SagasApart(ObjectMapper json) {
    OrderMessages messages = new OrderMessages(json);
    CountedSagaStore store = new CountedSagaStore(new SimpleMeterRegistry());
    Clock clock = Clock.tickMillis(ZoneOffset.UTC);
    orders = new OrderSagas(messages, json, store, clock, new Patience(), "order-service");
    returns = new ReturnSagas(messages, json, store, clock, new Patience(), "order-service");
    all = new SagaRunners(List.of(orders, returns));
  }

  /** As in production; no timer fires in these tests. */
  private record Patience() implements SagaConfig {

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
    public Duration failureBackoff() {
      return Duration.ofSeconds(2);
    }

    @Override
    public long mostUnderWay() {
      return 10_000;
    }

    @Override
    public boolean useOrigins() {
      return true;
    }
  }
}
