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
        "On what to run:",
        "  embedded  needs nothing but this JDK; the default",
        "  docker    docker-compose.yml",
        "  external  servers that the environment names:",
        "            ONCEFLOW_ORDERS_JDBC_URL, ..._USERNAME, ..._PASSWORD,",
        "            the same for PAYMENTS and SHIPPING,",
        "            RABBITMQ_HOST, ..._PORT, ..._USERNAME, ..._PASSWORD"
      })
  private @Nullable StackKind stack;

  @Option(
      names = "--order-port",
      description = "The API of order-service; ${DEFAULT-VALUE}.",
      defaultValue = "8080",
      paramLabel = "N")
  private int order;

  @Option(
      names = "--payment-port",
      description = "The API of payment-service; ${DEFAULT-VALUE}.",
      defaultValue = "8081",
      paramLabel = "N")
  private int payment;

  @Option(
      names = "--shipping-port",
      description = "The API of shipping-service; ${DEFAULT-VALUE}.",
      defaultValue = "8082",
      paramLabel = "N")
  private int shipping;

  @Option(
      names = "--order-management-port",
      description = "Its health and metrics; ${DEFAULT-VALUE}.",
      defaultValue = "9000",
      paramLabel = "N")
  private int orderManagement;

  @Option(
      names = "--payment-management-port",
      description = "Its health and metrics; ${DEFAULT-VALUE}.",
      defaultValue = "9001",
      paramLabel = "N")
  private int paymentManagement;

  @Option(
      names = "--shipping-management-port",
      description = "Its health and metrics; ${DEFAULT-VALUE}.",
      defaultValue = "9002",
      paramLabel = "N")
  private int shippingManagement;

  @Option(
      names = "--postgres-port",
      description = "The embedded PostgreSQL; ${DEFAULT-VALUE}.",
      defaultValue = "5432",
      paramLabel = "N")
  private int postgres;

  @Option(
      names = "--broker-port",
      description = "The embedded broker; ${DEFAULT-VALUE}.",
      defaultValue = "5672",
      paramLabel = "N")
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
