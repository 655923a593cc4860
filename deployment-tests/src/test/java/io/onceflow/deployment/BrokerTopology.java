package io.onceflow.deployment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the services need of the broker, read from their code and settings: the queue that each
 * declares ({@code new RabbitQueue(…)}) and the routing keys that it sends ({@code
 * onceflow.broker.sends.*}). The definitions and the operator's resources are generated from it.
 */
final class BrokerTopology {

  static final String DEAD_LETTERS = "onceflow.dead-letters";

  static final List<String> EXCHANGES =
      List.of("onceflow.commands", "onceflow.replies", "onceflow.events", DEAD_LETTERS);

  /** Matches the empty name alone, which nothing has. */
  static final String NOTHING = "^$";

  private static final Pattern QUEUE =
      Pattern.compile(
          "new RabbitQueue\\(\\s*\"([^\"]+)\",\\s*OutboxMessage[.](\\w+),\\s*\"([^\"]+)\"\\s*\\)");

  /** How the saga engine, which declares the queue of an orchestrator's replies, names it. */
  private static final String APPLICATION = "application + \"";

  private static final Path ENGINE = Overlay.root().resolve("saga-engine/runtime/src/main/java");

  private static final String SENDS = "onceflow.broker.sends.";

  /** Last: it is read with what is above. */
  static final List<Service> SERVICES =
      Stream.of("order-service", "payment-service", "shipping-service").map(Service::read).toList();

  private BrokerTopology() {}

  /**
   * A service on the broker.
   *
   * @param queue that it reads
   * @param exchange that its queue is bound to
   * @param bound the binding's routing key
   * @param sends routing keys by exchange, as patterns of AMQP
   */
  record Service(
      String name, String queue, String exchange, String bound, Map<String, List<String>> sends) {

    static Service read(String name) {
      Path main = Overlay.root().resolve(name).resolve("src/main");
      Matcher queue =
          Stream.of(main.resolve("java"), ENGINE)
              .flatMap(sources -> queue(sources, name).stream())
              .findFirst()
              .orElseThrow(() -> new IllegalStateException(name + " declares no queue"));
      return new Service(
          name,
          queue.group(1),
          "onceflow." + queue.group(2).toLowerCase(Locale.ROOT),
          queue.group(3),
          sends(main.resolve("resources/application.properties")));
    }

    /** Where the broker keeps what this service was sent too often. */
    String deadLetters() {
      return name + ".dead-letters";
    }

    /** Names that the service may write to. */
    String write() {
      return anyOf(sends.keySet().stream());
    }

    /** Names that the service may read from. */
    String read() {
      return anyOf(Stream.of(queue, deadLetters()));
    }

    /** Routing keys that the service may send to an exchange. */
    String keys(String exchange) {
      List<String> keys = sends.getOrDefault(exchange, List.of());
      return keys.isEmpty()
          ? NOTHING
          : keys.stream()
              .map(Service::pattern)
              .collect(Collectors.joining("|", keys.size() > 1 ? "^(" : "^", end(keys)));
    }

    private static String end(List<String> keys) {
      return keys.size() > 1 ? ")$" : "$";
    }

    private static String anyOf(Stream<String> names) {
      String any = names.map(Service::quoted).collect(Collectors.joining("|"));
      return any.isEmpty() ? NOTHING : "^(" + any + ")$";
    }

    /** A pattern of AMQP as a regular expression. */
    private static String pattern(String key) {
      return quoted(key).replace("*", "[^.]+").replace("#", ".+");
    }

    private static String quoted(String name) {
      return name.replace(".", "[.]");
    }

    private static Map<String, List<String>> sends(Path settings) {
      Properties properties = new Properties();
      try (var read = Files.newBufferedReader(settings)) {
        properties.load(read);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      Map<String, List<String>> sends = new TreeMap<>();
      for (String key : properties.stringPropertyNames()) {
        if (key.startsWith(SENDS)) {
          sends.put(
              "onceflow." + key.substring(SENDS.length()),
              Arrays.asList(properties.getProperty(key).split(",")));
        }
      }
      return sends;
    }

    private static Optional<Matcher> queue(Path sources, String application) {
      try (Stream<Path> files = Files.walk(sources)) {
        return files
            .filter(file -> file.toString().endsWith(".java"))
            .map(file -> Overlay.read(file).replace(APPLICATION, "\"" + application))
            .map(QUEUE::matcher)
            .filter(Matcher::find)
            .findFirst();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
