package io.onceflow.simulation.database;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A transaction as a {@link Connection}, so that it passes through the code of production. It can
 * be committed, rolled back and closed; it executes no SQL but settings, which mean nothing here.
 */
record SimulatedConnection(SimulatedTransaction transaction) implements InvocationHandler {

  /** For the settings of a transaction, which mean nothing here. */
  private static final Statement SETTING =
      (Statement)
          Proxy.newProxyInstance(
              SimulatedConnection.class.getClassLoader(),
              new Class<?>[] {Statement.class},
              (proxy, method, arguments) -> method.getName().equals("execute") ? false : null);

  static Connection of(SimulatedTransaction transaction) {
    return (Connection)
        Proxy.newProxyInstance(
            SimulatedConnection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new SimulatedConnection(transaction));
  }

  static SimulatedTransaction in(Connection connection) {
    return ((SimulatedConnection) Proxy.getInvocationHandler(connection)).transaction();
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws SQLException {
    switch (method.getName()) {
      case "setAutoCommit" -> {}
      case "createStatement" -> {
        return SETTING;
      }
      case "commit" -> transaction.commit();
      case "rollback", "close" -> transaction.end();
      default ->
          throw new UnsupportedOperationException(method.getName() + " of a simulated connection");
    }
    return null;
  }
}
