package io.onceflow.order.saga;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.outbox.UnitOfWork;
import io.onceflow.saga.SagaDefinition;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The service's sagas without an application around them. */
public final class SagasApart {

  /** Those that place orders. */
  public final OrderSagas orders;

  /** Those that take orders back. */
  public final ReturnSagas returns;

  /** All of them. */
  public final SagaRunners all;

  private final Patience config;

  /**
   * Sagas whose replies come by no broker.
   *
   * @param json how messages are written and orders are read
   */
  public SagasApart(ObjectMapper json) {
    this(json, false, Set.of(1), Set.of(), Map.of());
  }

  /**
   * A build of the service, which has to be told who sends replies.
   *
   * @param versions of {@code place-order} that it knows
   * @param newTypes of replies that it knows besides, and reads as {@code PaymentDeclined}
   * @param startVersion which version is started of which definition
   */
  public static SagasApart build(
      ObjectMapper json,
      Set<Integer> versions,
      Set<String> newTypes,
      Map<String, Integer> startVersion) {
    return new SagasApart(json, true, versions, newTypes, startVersion);
  }

  private SagasApart(
      ObjectMapper json,
      boolean requireSender,
      Set<Integer> versions,
      Set<String> newTypes,
      Map<String, Integer> startVersion) {
    config = new Patience(requireSender, startVersion);
    OrderMessages messages = new OrderMessages(json);
    CountedSagaStore store = new CountedSagaStore(new SimpleMeterRegistry());
    Clock clock = Clock.tickMillis(ZoneOffset.UTC);
    orders =
        new OrderSagas(messages, json, store, clock, config, "order-service") {
          @Override
          List<SagaDefinition<PlaceOrder>> versions() {
            return versions.stream().map(SagasApart::placeOrder).toList();
          }

          @Override
          Map<String, Class<? extends ParticipantReply>> replies() {
            Map<String, Class<? extends ParticipantReply>> types = new HashMap<>(super.replies());
            newTypes.forEach(type -> types.put(type, OrderReply.PaymentDeclined.class));
            return types;
          }
        };
    returns = new ReturnSagas(messages, json, store, clock, config, "order-service");
    all = new SagaRunners(List.of(orders, returns), store, config, clock);
  }

  /** The same steps under another number. */
  private static SagaDefinition<PlaceOrder> placeOrder(int version) {
    return new SagaDefinition<>("place-order", version, PlaceOrderSaga.DEFINITION.parts());
  }

  /** Where replies wait that these sagas do not know. */
  public DeferredReplies deferred(UnitOfWork unitOfWork, ObjectMapper json) {
    return new DeferredReplies(all, unitOfWork, config, json, new SimpleMeterRegistry());
  }

  /** As in production; no timer fires in these tests. */
  private record Patience(boolean requireSender, Map<String, Integer> startVersion)
      implements SagaConfig {

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
    public Replies replies() {
      return new Believed(requireSender);
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

  private record Believed(boolean requireSender) implements SagaConfig.Replies {

    @Override
    public Map<String, String> participants() {
      return Map.of();
    }

    @Override
    public Duration deferFor() {
      return Duration.ofDays(1);
    }
  }
}
