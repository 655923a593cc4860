package io.onceflow.order.saga;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.outbox.UnitOfWork;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.runtime.DeferredReplies;
import io.onceflow.saga.runtime.ParticipantReply;
import io.onceflow.saga.runtime.SagaRunners;
import io.onceflow.saga.runtime.TestRuntime;
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

  private final TestRuntime runtime;

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
    runtime = new TestRuntime(json, "order-service", requireSender, startVersion);
    OrderMessages events = new OrderMessages(runtime.messages());
    orders = orders(json, events, versions, newTypes);
    returns =
        new ReturnSagas(
            runtime.messages(),
            events,
            json,
            runtime.store(),
            runtime.clock(),
            runtime.config(),
            "order-service");
    all = runtime.runners(List.of(orders, returns));
  }

  private OrderSagas orders(
      ObjectMapper json, OrderMessages events, Set<Integer> versions, Set<String> newTypes) {
    return new OrderSagas(
        runtime.messages(),
        events,
        json,
        runtime.store(),
        runtime.clock(),
        runtime.config(),
        "order-service") {
      @Override
      protected List<SagaDefinition<PlaceOrder>> versions() {
        return versions.stream().map(SagasApart::placeOrder).toList();
      }

      @Override
      protected Map<String, Class<? extends ParticipantReply>> replies() {
        Map<String, Class<? extends ParticipantReply>> types = new HashMap<>(super.replies());
        newTypes.forEach(type -> types.put(type, OrderReply.PaymentDeclined.class));
        return types;
      }
    };
  }

  /** The same steps under another number. */
  private static SagaDefinition<PlaceOrder> placeOrder(int version) {
    return new SagaDefinition<>("place-order", version, PlaceOrderSaga.DEFINITION.parts());
  }

  /** Where replies wait that these sagas do not know. */
  public DeferredReplies deferred(UnitOfWork unitOfWork) {
    return runtime.deferred(all, unitOfWork);
  }
}
