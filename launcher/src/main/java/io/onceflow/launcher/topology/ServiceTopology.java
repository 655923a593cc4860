package io.onceflow.launcher.topology;

import io.onceflow.launcher.stack.LaunchException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An application at a broker, as its build has written it into its artifact.
 *
 * @param application its name, which is that of its user
 * @param queues that it reads
 * @param deadLetters the queue of what the broker takes out of the others
 * @param sends routing keys by exchange, as patterns of AMQP
 */
public record ServiceTopology(
    String application, List<Queue> queues, String deadLetters, Map<String, List<String>> sends) {

  /**
   * They are copied into JSON, YAML and regular expressions, in which these stand for themselves.
   */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

  private static final Pattern ROUTING_KEY = Pattern.compile("[A-Za-z0-9._*#-]+");

  /** Copies what it is given, exchanges in the order of their names. */
  public ServiceTopology {
    queues = List.copyOf(queues);
    sends = new TreeMap<>(sends);
    check(Stream.concat(Stream.of(application, deadLetters), sends.keySet().stream()), NAME);
    check(sends.values().stream().flatMap(List::stream), ROUTING_KEY);
  }

  /**
   * A queue.
   *
   * @param exchange that it is bound to
   * @param routingKeys that it is bound by, as patterns of AMQP
   */
  public record Queue(String name, String exchange, List<String> routingKeys) {

    /** Copies the routing keys. */
    public Queue {
      routingKeys = List.copyOf(routingKeys);
      check(Stream.of(name, exchange), NAME);
      check(routingKeys.stream(), ROUTING_KEY);
    }

    /** Whether what is sent by a routing key arrives here; both may be patterns. */
    boolean takes(String to, String key) {
      return exchange.equals(to)
          && (isAny(firstWord(key))
              || routingKeys.stream()
                  .map(ServiceTopology::firstWord)
                  .anyMatch(word -> isAny(word) || word.equals(firstWord(key))));
    }
  }

  /** A routing key that an application sends. */
  record Sent(String exchange, String key) {}

  /** All that it sends. */
  Stream<Sent> sent() {
    return sends.entrySet().stream()
        .flatMap(each -> each.getValue().stream().map(key -> new Sent(each.getKey(), key)));
  }

  static String firstWord(String key) {
    return key.split("[.]")[0];
  }

  static boolean isAny(String word) {
    return word.equals("*") || word.equals("#");
  }

  /** In the order of their names; the same one twice is a mistake. */
  static List<ServiceTopology> sorted(List<ServiceTopology> applications) {
    List<ServiceTopology> sorted =
        applications.stream().sorted(Comparator.comparing(ServiceTopology::application)).toList();
    for (int i = 1; i < sorted.size(); i++) {
      if (sorted.get(i).application().equals(sorted.get(i - 1).application())) {
        throw new LaunchException(
            "Two of the applications are named " + sorted.get(i).application());
      }
    }
    return sorted;
  }

  private static void check(Stream<String> texts, Pattern allowed) {
    texts
        .filter(text -> text == null || !allowed.matcher(text).matches())
        .findFirst()
        .ifPresent(
            text -> {
              throw new IllegalArgumentException(
                  "\"%s\" has a character that no name at the broker may have: %s"
                      .formatted(text, allowed));
            });
  }
}
