package io.onceflow.deployment;

import static org.assertj.core.api.Assertions.assertThat;

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
 * What the services need of the broker, read from their code and settings: the queue that the
 * product declares for the commands that each handles ({@code @Command}), or for its sagas'
 * replies, and the routing keys that it sends ({@code onceflow.broker.sends.*}). The definitions
 * and the operator's resources are generated from it.
 */
final class BrokerTopology {

  static final String DEAD_LETTERS = "onceflow.dead-letters";

  static final List<String> EXCHANGES =
      List.of("onceflow.commands", "onceflow.replies", "onceflow.events", DEAD_LETTERS);

  /** What packs are sent to. */
  static final List<String> PACKED = List.of("onceflow.commands", "onceflow.replies");

  /** Before the routing key of a pack's messages. */
  private static final String PACKS = "bundle.";

  /** Matches the empty name alone, which nothing has. */
  static final String NOTHING = "^$";

  private static final Pattern QUEUE =
      Pattern.compile(
          "new MessageSource[.]Queue\\(\\s*\"([^\"]+)\",\\s*OutboxMessage[.](\\w+),"
              + "\\s*List[.]of\\(\"([^\"]+)\"\\)\\)");

  /** How the saga engine, which declares the queue of an orchestrator's replies, names it. */
  private static final String APPLICATION = "application + \"";

  private static final Path ENGINE = Overlay.root().resolve("saga-engine/runtime/src/main/java");

  private static final Pattern COMMAND = Pattern.compile("@Command\\(\"([^.\"]+)[.]");

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
      Queue queue = Queue.of(name, sources(main.resolve("java")));
      return new Service(
          name,
          queue.name(),
          "onceflow." + queue.exchange(),
          queue.bound(),
          sends(main.resolve("resources/application.properties")));
    }

    /** The routing key by which the queue is bound for packs, which its consumers unpack. */
    String boundForPacks() {
      return PACKS + bound;
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

    /** Routing keys that the service may send to an exchange; in packs, too, where it has any. */
    String keys(String exchange) {
      List<String> keys = sends.getOrDefault(exchange, List.of());
      if (keys.isEmpty()) {
        return NOTHING;
      }
      String any = keys.stream().map(Service::pattern).collect(Collectors.joining("|"));
      return "^%s(%s)$".formatted(PACKED.contains(exchange) ? "(" + quoted(PACKS) + ")?" : "", any);
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

    private static List<String> sources(Path folder) {
      try (Stream<Path> files = Files.walk(folder)) {
        return files.filter(it -> it.toString().endsWith(".java")).map(Overlay::read).toList();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
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
  }

  /**
   * The queue of a service.
   *
   * @param exchange without its {@code onceflow.}
   */
  private record Queue(String name, String exchange, String bound) {

    /** That of the commands that it handles, or that of its sagas' replies. */
    static Queue of(String service, List<String> sources) {
      return ofHandledCommands(service, sources)
          .orElseGet(() -> declaredBy(Service.sources(ENGINE), service));
    }

    private static Queue declaredBy(List<String> engine, String service) {
      return engine.stream()
          .map(source -> QUEUE.matcher(source.replace(APPLICATION, "\"" + service)))
          .filter(Matcher::find)
          .map(it -> new Queue(it.group(1), it.group(2).toLowerCase(Locale.ROOT), it.group(3)))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("the saga engine declares no queue"));
    }

    private static Optional<Queue> ofHandledCommands(String service, List<String> sources) {
      if (sources.stream().noneMatch(source -> source.contains("@Handles"))) {
        return Optional.empty();
      }
      List<String> bound =
          sources.stream()
              .flatMap(source -> COMMAND.matcher(source).results())
              .map(command -> command.group(1) + ".#")
              .distinct()
              .toList();
      assertThat(bound).as("first words of the routing keys of %s", service).hasSize(1);
      return Optional.of(new Queue(service + ".commands", "commands", bound.getFirst()));
    }
  }
}
