package io.onceflow.quickstart.stack;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Where a stack listens, on the loopback interface.
 *
 * @param http the port of each service's API
 * @param management the port of each service's health and metrics
 * @param postgres the port of PostgreSQL
 * @param broker the port of the broker
 * @param redis the port of Redis; empty where none is wanted
 */
public record StackPorts(
    Map<Service, Integer> http,
    Map<Service, Integer> management,
    int postgres,
    int broker,
    OptionalInt redis) {

  /** Copies the maps, which must name every service. */
  public StackPorts {
    http = Map.copyOf(http);
    management = Map.copyOf(management);
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
    for (Service service : Service.ALL) {
      String name = service.name().toLowerCase(Locale.ROOT);
      ports.add(new Named(http.get(service), service.title(), "--" + name + "-port"));
      ports.add(
          new Named(
              management.get(service),
              service.title() + " (management)",
              "--" + name + "-management-port"));
    }
    return ports;
  }

  /** All ports: the services' and the servers'. */
  public List<Named> all() {
    List<Named> ports = ofServices();
    ports.add(new Named(postgres, "PostgreSQL", "--postgres-port"));
    ports.add(new Named(broker, "broker", "--broker-port"));
    redis.ifPresent(port -> ports.add(new Named(port, "Redis", "--redis-port")));
    return ports;
  }
}
