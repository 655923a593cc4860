package io.onceflow.quickstart;

import io.onceflow.quickstart.stack.Service;
import io.onceflow.quickstart.stack.StackKind;
import io.onceflow.quickstart.stack.StackPorts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which stack to start, and where it listens. */
final class StackOptions {

  @Option(
      names = "--stack",
      paramLabel = "KIND",
      description = {
        "On what to run: embedded (needs nothing but this JDK; the default),",
        "docker (docker-compose.yml), or external (servers named by ONCEFLOW_ORDERS_JDBC_URL,",
        "..._USERNAME, ..._PASSWORD, the same for PAYMENTS and SHIPPING, and RABBITMQ_HOST,",
        "..._PORT, ..._USERNAME, ..._PASSWORD, ..._VIRTUAL_HOST)."
      })
  private @Nullable StackKind stack;

  @Option(names = "--order-port", defaultValue = "8080", paramLabel = "N")
  private int order;

  @Option(names = "--payment-port", defaultValue = "8081", paramLabel = "N")
  private int payment;

  @Option(names = "--shipping-port", defaultValue = "8082", paramLabel = "N")
  private int shipping;

  @Option(names = "--order-management-port", defaultValue = "9000", paramLabel = "N")
  private int orderManagement;

  @Option(names = "--payment-management-port", defaultValue = "9001", paramLabel = "N")
  private int paymentManagement;

  @Option(names = "--shipping-management-port", defaultValue = "9002", paramLabel = "N")
  private int shippingManagement;

  @Option(names = "--postgres-port", defaultValue = "5432", paramLabel = "N")
  private int postgres;

  @Option(names = "--broker-port", defaultValue = "5672", paramLabel = "N")
  private int broker;

  /** The stack that was asked for; empty if any will do. */
  Optional<StackKind> stack() {
    return Optional.ofNullable(stack);
  }

  /** The stack to start. */
  StackKind stackToStart() {
    return stack().orElse(StackKind.embedded);
  }

  StackPorts ports() {
    return new StackPorts(
        Map.of(Service.ORDER, order, Service.PAYMENT, payment, Service.SHIPPING, shipping),
        Map.of(
            Service.ORDER,
            orderManagement,
            Service.PAYMENT,
            paymentManagement,
            Service.SHIPPING,
            shippingManagement),
        postgres,
        broker);
  }

  /** The same options as a command line. */
  List<String> asArguments() {
    List<String> arguments = new ArrayList<>(List.of("--stack", stackToStart().name()));
    for (StackPorts.Named port : ports().all()) {
      arguments.add(port.option());
      arguments.add(Integer.toString(port.port()));
    }
    return arguments;
  }
}
