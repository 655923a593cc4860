package io.onceflow.quickstart;

import io.onceflow.quickstart.stack.Service;
import io.onceflow.quickstart.stack.StackKind;
import io.onceflow.quickstart.stack.StackPorts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which stack to start, and where it listens. */
final class StackOptions {

  @Option(
      names = "--stack",
      paramLabel = "KIND",
      description = {
        "On what to run:",
        "  embedded  needs nothing but this JDK",
        "  docker    docker-compose.yml",
        "  external  servers in the environment:",
        "    ONCEFLOW_ORDERS_JDBC_URL, _USERNAME,",
        "    _PASSWORD; so for PAYMENTS, SHIPPING;",
        "    RABBITMQ_HOST, _PORT, _USERNAME,",
        "    _PASSWORD, _VIRTUAL_HOST, whose",
        "    queues are there already, or else",
        "    ONCEFLOW_BROKER_DECLARE=true; and, if",
        "    there is a Redis, QUARKUS_REDIS_HOSTS",
        "What is up already, or else embedded, by default."
      })
  private @Nullable StackKind stack;

  @Option(
      names = "--order-port",
      description = "The API of order-service; ${DEFAULT-VALUE}.",
      paramLabel = "N")
  private int order = 8080;

  @Option(
      names = "--payment-port",
      description = "The API of payment-service; ${DEFAULT-VALUE}.",
      paramLabel = "N")
  private int payment = 8081;

  @Option(
      names = "--shipping-port",
      description = "The API of shipping-service; ${DEFAULT-VALUE}.",
      paramLabel = "N")
  private int shipping = 8082;

  @Option(
      names = "--order-management-port",
      description = "Its health and metrics; ${DEFAULT-VALUE}.",
      paramLabel = "N")
  private int orderManagement = 9000;

  @Option(
      names = "--payment-management-port",
      description = "Its health and metrics; ${DEFAULT-VALUE}.",
      paramLabel = "N")
  private int paymentManagement = 9001;

  @Option(
      names = "--shipping-management-port",
      description = "Its health and metrics; ${DEFAULT-VALUE}.",
      paramLabel = "N")
  private int shippingManagement = 9002;

  @Option(
      names = "--postgres-port",
      description = "The embedded PostgreSQL; ${DEFAULT-VALUE}.",
      paramLabel = "N")
  private int postgres = 5432;

  @Option(
      names = "--broker-port",
      description = "The embedded broker; ${DEFAULT-VALUE}.",
      paramLabel = "N")
  private int broker = 5672;

  @Option(
      names = "--redis",
      description = {
        "Puts a Redis in front of PostgreSQL for idempotency",
        "keys. Also if ONCEFLOW_IDEMPOTENCY_STORE is hybrid or",
        "redis."
      })
  private boolean wantsRedis;

  @Option(
      names = "--redis-port",
      description = "The embedded Redis; ${DEFAULT-VALUE}.",
      paramLabel = "N")
  private int redis = 6379;

  /** The stack that was asked for; empty if any will do. */
  Optional<StackKind> stack() {
    return Optional.ofNullable(stack);
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
        broker,
        wantsRedis || isImplied() ? OptionalInt.of(redis) : OptionalInt.empty());
  }

  private static boolean isImplied() {
    String store = System.getenv().getOrDefault("ONCEFLOW_IDEMPOTENCY_STORE", "");
    return store.equalsIgnoreCase("hybrid") || store.equalsIgnoreCase("redis");
  }

  /** The ports that are not where they usually are. */
  List<StackPorts.Named> movedPorts() {
    List<StackPorts.Named> usual = new StackOptions().ports().all();
    return ports().all().stream().filter(port -> !usual.contains(port)).toList();
  }

  /** The same options as a command line, with this stack. */
  List<String> asArguments(StackKind kind) {
    List<String> arguments = new ArrayList<>(List.of("--stack", kind.name()));
    if (ports().redis().isPresent()) {
      arguments.add("--redis");
    }
    for (StackPorts.Named port : ports().all()) {
      arguments.add(port.option());
      arguments.add(Integer.toString(port.port()));
    }
    return arguments;
  }
}
