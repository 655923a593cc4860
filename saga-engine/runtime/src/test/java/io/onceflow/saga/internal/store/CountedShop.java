package io.onceflow.saga.internal.store;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.outbox.internal.TransactionalOutbox;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.outbox.internal.relay.RelaySignal;
import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.runtime.TestRuntime;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** The runtime of a shop, and each statement that it sends. */
public final class CountedShop {

  /** The statements so far. */
  public final List<String> statements = new ArrayList<>();

  public final TestRuntime runtime = new TestRuntime(new ObjectMapper(), "shop", Map.of());
  public final UnitOfWork unitOfWork = unitOfWork(counted());
  public final SagaRunners sagas;

  public CountedShop() {
    this(PlaceOrder.DEFINITION);
  }

  /**
   * @param newest of the versions
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  public CountedShop(SagaDefinition<PlaceOrder> newest, SagaDefinition<PlaceOrder>... earlier) {
    Place place = new Place(newest, List.of(earlier));
    sagas = runtime.runners(List.of(place), List.of(new TestOrders()), unitOfWork);
  }

  private record Place(
      SagaDefinition<PlaceOrder> definition, List<SagaDefinition<PlaceOrder>> earlierVersions)
      implements Saga<PlaceOrder> {}

  private DataSource counted() {
    DataSource real = SagaDatabase.source();
    return proxy(
        DataSource.class,
        (method, arguments) -> {
          Object result = method.invoke(real, arguments);
          return result instanceof Connection connection ? counted(connection) : result;
        });
  }

  private Connection counted(Connection real) {
    return proxy(
        Connection.class,
        (method, arguments) -> {
          if (method.getName().equals("prepareStatement")) {
            statements.add((String) arguments[0]);
          }
          return method.invoke(real, arguments);
        });
  }

  @FunctionalInterface
  private interface Call {
    Object on(java.lang.reflect.Method method, Object[] arguments)
        throws IllegalAccessException, InvocationTargetException;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader() == null
                ? CountedShop.class.getClassLoader()
                : type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                return call.on(method, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  /** Transactions of a database, outside of any application. */
  public static UnitOfWork unitOfWork(DataSource database) {
    RelaySignal signal = new RelaySignal();
    TransactionSynchronizationRegistry none =
        (TransactionSynchronizationRegistry)
            Proxy.newProxyInstance(
                CountedShop.class.getClassLoader(),
                new Class<?>[] {TransactionSynchronizationRegistry.class},
                (proxy, method, arguments) -> Status.STATUS_NO_TRANSACTION);
    return new UnitOfWork(
        database, new TransactionalOutbox(database, new ObjectMapper(), none, signal));
  }
}
