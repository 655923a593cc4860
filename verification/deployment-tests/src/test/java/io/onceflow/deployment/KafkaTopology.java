package io.onceflow.deployment;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the services need of Kafka: the topics and groups that stand for the exchanges and queues of
 * {@link BrokerTopology}, as {@code docs/reference/transports.md} has it, and the rights to them.
 * The size of a topic is the default of {@code onceflow.kafka.*}.
 */
final class KafkaTopology {

  private static final Path CONFIG =
      Overlay.root()
          .resolve("transports/kafka/src/main/java/io/onceflow/kafka/internal/KafkaConfig.java");

  private KafkaTopology() {}

  /**
   * What a user may do, if only once.
   *
   * @param type of the resource: topic or group
   */
  record Right(String user, String operation, String type, String resource) {}

  /** All that is read or sent to, by name. */
  static SortedSet<String> topics() {
    SortedSet<String> topics = new TreeSet<>();
    for (BrokerTopology.Service service : BrokerTopology.SERVICES) {
      topics.add(read(service));
      topics.addAll(sent(service));
    }
    return topics;
  }

  /** The topic that a service's queue takes all of. */
  static String read(BrokerTopology.Service service) {
    return topic(service.exchange(), service.bound());
  }

  /** The topics that a service sends to; with any first word, those that somebody reads. */
  static SortedSet<String> sent(BrokerTopology.Service service) {
    SortedSet<String> sent = new TreeSet<>();
    for (Map.Entry<String, List<String>> sends : service.sends().entrySet()) {
      for (String key : sends.getValue()) {
        if (key.startsWith("*")) {
          readOf(sends.getKey()).forEach(sent::add);
        } else {
          sent.add(topic(sends.getKey(), key));
        }
      }
    }
    return sent;
  }

  /** Reading includes looking how far a group is, and writing that a topic is there. */
  static Set<Right> rights(BrokerTopology.Service service) {
    Set<Right> rights = new HashSet<>();
    rights.add(new Right(service.name(), "Read", "topic", read(service)));
    rights.add(new Right(service.name(), "Read", "group", service.queue()));
    sent(service).forEach(to -> rights.add(new Right(service.name(), "Write", "topic", to)));
    return rights;
  }

  /** Of the user that replicas are scaled by: how far each group is, and no message. */
  static Set<Right> rightsOfScaler(String user) {
    Set<Right> rights = new HashSet<>();
    for (BrokerTopology.Service service : BrokerTopology.SERVICES) {
      rights.add(new Right(user, "Describe", "topic", read(service)));
      rights.add(new Right(user, "Describe", "group", service.queue()));
    }
    return rights;
  }

  /** A default of KafkaConfig. */
  static int number(String setting) {
    Matcher found =
        Pattern.compile("@WithDefault\\(\"(\\d+)\"\\)\\s+int %s\\(\\)".formatted(setting))
            .matcher(Overlay.read(CONFIG));
    if (!found.find()) {
      throw new IllegalStateException("KafkaConfig has no %s".formatted(setting));
    }
    return Integer.parseInt(found.group(1));
  }

  private static Stream<String> readOf(String exchange) {
    return BrokerTopology.SERVICES.stream()
        .filter(each -> each.exchange().equals(exchange))
        .map(KafkaTopology::read);
  }

  private static String topic(String exchange, String routingKey) {
    return exchange + "." + routingKey.split("[.]")[0];
  }
}
