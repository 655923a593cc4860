package io.onceflow.launcher.topology;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Exchanges of RabbitMQ, and what the user of an application may do, as regular expressions. */
final class RabbitRights {

  static final String DEAD_LETTERS = "onceflow.dead-letters";

  /** Matches the empty name alone, which nothing has. */
  static final String NOTHING = "^$";

  /** Before the routing key of a pack's messages. */
  private static final String PACKS = "bundle.";

  /** What packs are sent to. */
  private static final List<String> PACKED = List.of("onceflow.commands", "onceflow.replies");

  private static final List<String> EXCHANGES =
      List.of("onceflow.commands", "onceflow.replies", "onceflow.events", DEAD_LETTERS);

  private RabbitRights() {}

  /** The product's, and those that only an application sends to. */
  static List<String> exchanges(List<ServiceTopology> applications) {
    return Stream.concat(
            EXCHANGES.stream(), applications.stream().flatMap(it -> it.sends().keySet().stream()))
        .distinct()
        .toList();
  }

  /** What a queue is bound by: each of its routing keys, and that of packs, which it unpacks. */
  static List<String> bindings(ServiceTopology.Queue queue, String routingKey) {
    return PACKED.contains(queue.exchange())
        ? List.of(routingKey, PACKS + routingKey)
        : List.of(routingKey);
  }

  /** Names that it may write to. */
  static String write(ServiceTopology application) {
    return anyOf(application.sends().keySet().stream());
  }

  /** Names that it may read from. */
  static String read(ServiceTopology application) {
    return anyOf(
        Stream.concat(
            application.queues().stream().map(ServiceTopology.Queue::name),
            Stream.of(application.deadLetters())));
  }

  /** Routing keys that it may send to an exchange; in packs, too, where it has any. */
  static String keys(ServiceTopology application, String exchange) {
    List<String> keys = application.sends().getOrDefault(exchange, List.of());
    if (keys.isEmpty()) {
      return NOTHING;
    }
    String any = keys.stream().map(RabbitRights::pattern).collect(Collectors.joining("|"));
    return "^%s(%s)$".formatted(PACKED.contains(exchange) ? "(" + quoted(PACKS) + ")?" : "", any);
  }

  static String anyOf(Stream<String> names) {
    String any = names.map(RabbitRights::quoted).collect(Collectors.joining("|"));
    return any.isEmpty() ? NOTHING : "^(" + any + ")$";
  }

  /** A pattern of AMQP as a regular expression. */
  private static String pattern(String key) {
    return quoted(key).replace("*", "[^.]+").replace("#", ".+");
  }

  private static String quoted(String name) {
    return name.replace(".", "[.]");
  }
}
