package io.onceflow.order.saga;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.message.Done;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaDefinition.StepGroup;
import io.onceflow.saga.Sagas;
import io.onceflow.saga.Step;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.runtime.TestRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

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
  public SagasApart(ObjectMapper json, UnitOfWork unitOfWork) {
    this(json, unitOfWork, Set.of(1), Set.of(), Map.of());
  }

  /**
   * A build of the service, which has to be told who sends replies.
   *
   * @param versions of {@code place-order} that it knows
   * @param newTypes of replies that it knows besides, and reads as {@code PaymentProcessed}
   * @param startVersion which version is started of which definition
   */
  public static SagasApart build(
      ObjectMapper json,
      UnitOfWork unitOfWork,
      Set<Integer> versions,
      Set<String> newTypes,
      Map<String, Integer> startVersion) {
    return new SagasApart(json, unitOfWork, versions, newTypes, startVersion);
  }

  private SagasApart(
      ObjectMapper json,
      UnitOfWork unitOfWork,
      Set<Integer> versions,
      Set<String> newTypes,
      Map<String, Integer> startVersion) {
    runtime = new TestRuntime(json, "order-service", startVersion);
    all =
        runtime.runners(
            List.of(new Build(versions, newTypes), new ReturnOrderSaga()),
            List.of(new OrderRepository(json), new ReturnRepository(json)),
            unitOfWork);
    Sagas sagas = runtime.sagas(all, unitOfWork);
    orders = new OrderSagas(sagas);
    returns = new ReturnSagas(sagas, json, runtime.clock());
  }

  /** {@code place-order} as a build knows it. */
  private static final class Build extends PlaceOrderSaga {

    private final List<SagaDefinition<PlaceOrder>> known;

    private Build(Set<Integer> versions, Set<String> newTypes) {
      known =
          new TreeSet<>(versions).stream().map(version -> placeOrder(version, newTypes)).toList();
    }

    @Override
    public SagaDefinition<PlaceOrder> definition() {
      return known.getLast();
    }

    @Override
    public List<SagaDefinition<PlaceOrder>> earlierVersions() {
      return known.subList(0, known.size() - 1);
    }
  }

  /** The same steps under another number. */
  private static SagaDefinition<PlaceOrder> placeOrder(int version, Set<String> newTypes) {
    List<StepGroup<PlaceOrder>> parts = new ArrayList<>(PlaceOrderSaga.DEFINITION.parts());
    if (newTypes.contains(PaymentReserved.class.getSimpleName())
        && parts.getFirst() instanceof Step.Send<PlaceOrder> payment) {
      parts.set(
          0, payment.on(PaymentReserved.class, (PlaceOrder order, PaymentReserved reply) -> order));
    }
    return new SagaDefinition<>("place-order", version, parts).onCompensated(PlaceOrder::cancelled);
  }

  /** What a newer payment service may say instead of {@code PaymentProcessed}. */
  @Done(Commands.ProcessPayment.class)
  record PaymentReserved(UUID orderId) {}
}
