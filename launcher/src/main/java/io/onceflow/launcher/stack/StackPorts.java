package io.onceflow.launcher.stack;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Where a stack listens, on the loopback interface.
 *
 * @param services with their ports, in the order in which they start
 * @param postgres the port of PostgreSQL
 * @param broker the port of the broker
 * @param redis the port of Redis; empty where none is wanted
 * @param kafka the port of Kafka; empty where the broker is another one
 * @param stripeDouble the port of Stripe's double; empty where the gateway is another one
 * @param easyPostDouble the port of EasyPost's double; empty where the carrier is another one
 */
public record StackPorts(
    List<Service> services,
    int postgres,
    int broker,
    OptionalInt redis,
    OptionalInt kafka,
    OptionalInt stripeDouble,
    OptionalInt easyPostDouble) {

  /** Copies the list. */
  public StackPorts {
    services = List.copyOf(services);
  }

  /** With a broker of AMQP. */
  public StackPorts(List<Service> services, int postgres, int broker, OptionalInt redis) {
    this(
        services,
        postgres,
        broker,
        redis,
        OptionalInt.empty(),
        OptionalInt.empty(),
        OptionalInt.empty());
  }

  /**
   * A port with what it is for.
   *
   * @param owner the process that listens there, in words
   * @param option the command line option that moves it
   */
  public record Named(int port, String owner, String option) {}

  /** The ports of the services. */
  public List<Named> ofServices() {
    List<Named> ports = new ArrayList<>();
    for (Service service : services) {
      ports.add(new Named(service.port(), service.name(), service.portOption()));
      ports.add(
          new Named(
              service.managementPort(),
              service.name() + " (management)",
              service.managementPortOption()));
    }
    return ports;
  }

  /** All ports: the services' and the servers'. */
  public List<Named> all() {
    List<Named> ports = ofServices();
    ports.add(new Named(postgres, "PostgreSQL", "--postgres-port"));
    ports.add(
        kafka.isPresent()
            ? new Named(kafka.getAsInt(), "Kafka", "--kafka-port")
            : new Named(broker, "broker", "--broker-port"));
    redis.ifPresent(port -> ports.add(new Named(port, "Redis", "--redis-port")));
    stripeDouble.ifPresent(
        port -> ports.add(new Named(port, "Stripe's double", "--stripe-double-port")));
    easyPostDouble.ifPresent(
        port -> ports.add(new Named(port, "EasyPost's double", "--easypost-double-port")));
    return ports;
  }

  /** Replaces {@code ${name.port}} by the port of the service of that name. */
  String filledIn(String text) {
    String filled = text;
    for (Service service : services) {
      filled =
          filled.replace("${%s.port}".formatted(service.name()), Integer.toString(service.port()));
    }
    return filled;
  }
}
