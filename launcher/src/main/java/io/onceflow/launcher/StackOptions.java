package io.onceflow.launcher;

import io.onceflow.launcher.stack.BrokerKind;
import io.onceflow.launcher.stack.LaunchException;
import io.onceflow.launcher.stack.LocalStack;
import io.onceflow.launcher.stack.Service;
import io.onceflow.launcher.stack.StackKind;
import io.onceflow.launcher.stack.StackPorts;
import io.onceflow.launcher.stack.StackState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Which stack to start, and where it listens. */
final class StackOptions {

  private static final String SIMULATED = "simulated";
  private static final String STRIPE_DOUBLE = LocalStack.STRIPE_DOUBLE;
  private static final String EASYPOST_DOUBLE = LocalStack.EASYPOST_DOUBLE;

  @Option(
      names = "--stack",
      paramLabel = "KIND",
      description = {
        "On what to run:",
        "  embedded  needs nothing but this JDK",
        "  docker    docker-compose.yml",
        "  external  servers in the environment:",
        "    ONCEFLOW_ORDERS_JDBC_URL, _USERNAME,",
        "    _PASSWORD; so for each database;",
        "    RABBITMQ_HOST, _PORT, _USERNAME,",
        "    _PASSWORD, _VIRTUAL_HOST, whose",
        "    queues are there already, or else",
        "    ONCEFLOW_BROKER_DECLARE=true; and, if",
        "    there is a Redis, QUARKUS_REDIS_HOSTS",
        "What is up already, or else embedded, by default."
      })
  private @Nullable StackKind stack;

  /** The command that has these options, and those of the services' ports. */
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  private List<Service> services = List.of();

  @Option(
      names = "--postgres-port",
      converter = ArgumentTypes.PortNumber.class,
      description = "The embedded PostgreSQL; ${DEFAULT-VALUE}.",
      paramLabel = "N")
  private int postgres = 5432;

  @Option(
      names = "--broker-port",
      converter = ArgumentTypes.PortNumber.class,
      description = "The embedded broker; ${DEFAULT-VALUE}.",
      paramLabel = "N")
  private int broker = 5672;

  @Option(
      names = "--broker",
      paramLabel = "KIND",
      description = {
        "Of an embedded stack: rabbitmq, or kafka, which",
        "starts Apache Kafka in a process of its own, and",
        "services that were built for it."
      })
  private BrokerKind brokerKind = BrokerKind.rabbitmq;

  @Option(
      names = "--kafka-port",
      converter = ArgumentTypes.PortNumber.class,
      description = "The embedded Kafka; ${DEFAULT-VALUE}.",
      paramLabel = "N")
  private int kafka = 9092;

  @Option(
      names = "--gateway",
      paramLabel = "KIND",
      description = {
        "What the payment service charges at: simulated, or",
        "stripe-double, a double of Stripe's API in a process",
        "of its own."
      })
  private String gateway = SIMULATED;

  @Option(
      names = "--stripe-double-port",
      converter = ArgumentTypes.PortNumber.class,
      description = "Stripe's double; ${DEFAULT-VALUE}.",
      paramLabel = "N")
  private int stripeDouble = 8420;

  @Option(
      names = "--carrier",
      paramLabel = "KIND",
      description = {
        "What the shipping service books at: simulated, or,",
        "but not with docker, easypost-double, a double of",
        "EasyPost's API in a process of its own."
      })
  private String carrier = SIMULATED;

  @Option(
      names = "--easypost-double-port",
      converter = ArgumentTypes.PortNumber.class,
      description = "EasyPost's double; ${DEFAULT-VALUE}.",
      paramLabel = "N")
  private int easyPostDouble = 8430;

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
      converter = ArgumentTypes.PortNumber.class,
      description = "The embedded Redis; ${DEFAULT-VALUE}.",
      paramLabel = "N")
  private int redis = 6379;

  /** The stack that was asked for; empty if any will do. */
  Optional<StackKind> stack() {
    return Optional.ofNullable(stack);
  }

  /** Gives the command an option for each port of a service; the file has the usual ports. */
  void addPortsOf(List<Service> services) {
    this.services = services;
    for (Service service : services) {
      addPort(service.portOption(), "The API of " + service.name(), service.port());
      addPort(service.managementPortOption(), "Its health and metrics", service.managementPort());
    }
  }

  private void addPort(String option, String what, int usual) {
    command()
        .addOption(
            OptionSpec.builder(option)
                .type(int.class)
                .converters(new ArgumentTypes.PortNumber())
                .paramLabel("N")
                .defaultValue(Integer.toString(usual))
                .description(what + "; ${DEFAULT-VALUE}.")
                .build());
  }

  private CommandSpec command() {
    return Objects.requireNonNull(command, "set by picocli");
  }

  /**
   * Where the services and their servers shall listen.
   *
   * @throws LaunchException if the project has no file that names its services
   */
  StackPorts ports() {
    if (services.isEmpty()) {
      throw new LaunchException("There is no services.yaml here that names the services to start");
    }
    return ports(
        services.stream()
            .map(it -> it.on(port(it.portOption()), port(it.managementPortOption())))
            .toList());
  }

  private int port(String option) {
    return command().findOption(option).getValue();
  }

  private StackPorts ports(List<Service> onTheirPorts) {
    return new StackPorts(
        onTheirPorts,
        postgres,
        broker,
        wantsRedis || isImplied() ? OptionalInt.of(redis) : OptionalInt.empty(),
        brokerKind == BrokerKind.kafka && stack().orElse(StackKind.embedded) == StackKind.embedded
            ? OptionalInt.of(kafka)
            : OptionalInt.empty(),
        isStripeDouble() ? OptionalInt.of(stripeDouble) : OptionalInt.empty(),
        isEasyPostDouble() ? OptionalInt.of(easyPostDouble) : OptionalInt.empty());
  }

  private boolean isStripeDouble() {
    return isDouble("--gateway", gateway, STRIPE_DOUBLE);
  }

  private boolean isEasyPostDouble() {
    return isDouble("--carrier", carrier, EASYPOST_DOUBLE);
  }

  private static boolean isDouble(String option, String value, String nameOfDouble) {
    if (!value.equals(nameOfDouble) && !value.equals(SIMULATED)) {
      throw new LaunchException(
          "%s is '%s'; it may be simulated or %s".formatted(option, value, nameOfDouble));
    }
    return value.equals(nameOfDouble);
  }

  /**
   * Refuses to take a stack that charges or books elsewhere for one that was asked for.
   *
   * @throws LaunchException if a double is wanted and what is up has none
   */
  void requireDoublesOf(StackState running) {
    if (isStripeDouble() && !running.urls().containsKey(STRIPE_DOUBLE)) {
      throw new LaunchException(
          "What is up does not charge at Stripe's double; stop it first: ./onceflow down");
    }
    if (isEasyPostDouble() && !running.urls().containsKey(EASYPOST_DOUBLE)) {
      throw new LaunchException(
          "What is up does not book at EasyPost's double; stop it first: ./onceflow down");
    }
  }

  /**
   * Refuses what containers do not have.
   *
   * @throws LaunchException if EasyPost's double is wanted, whose certificate no image trusts
   */
  void refuseInContainers() {
    if (isEasyPostDouble()) {
      throw new LaunchException(
          "--carrier easypost-double is for the stacks embedded and external: the images trust"
              + " only certificates of public authorities");
    }
  }

  private static boolean isImplied() {
    String store = System.getenv().getOrDefault("ONCEFLOW_IDEMPOTENCY_STORE", "");
    return store.equalsIgnoreCase("hybrid") || store.equalsIgnoreCase("redis");
  }

  /** The ports that are not where they usually are. */
  List<StackPorts.Named> movedPorts() {
    List<StackPorts.Named> usual = new StackOptions().ports(services).all();
    return ports().all().stream().filter(port -> !usual.contains(port)).toList();
  }

  /** The same options as a command line, with this stack. */
  List<String> asArguments(StackKind kind) {
    List<String> arguments = new ArrayList<>(List.of("--stack", kind.name()));
    if (ports().redis().isPresent()) {
      arguments.add("--redis");
    }
    if (ports().kafka().isPresent()) {
      arguments.addAll(List.of("--broker", BrokerKind.kafka.name()));
    }
    if (isStripeDouble()) {
      arguments.addAll(List.of("--gateway", STRIPE_DOUBLE));
    }
    if (isEasyPostDouble()) {
      arguments.addAll(List.of("--carrier", EASYPOST_DOUBLE));
    }
    for (StackPorts.Named port : ports().all()) {
      arguments.add(port.option());
      arguments.add(Integer.toString(port.port()));
    }
    return arguments;
  }
}
