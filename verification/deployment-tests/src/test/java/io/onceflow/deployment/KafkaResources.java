package io.onceflow.deployment;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The resources of Strimzi's topic operator and user operator for {@code components/kafka}. */
final class KafkaResources {

  /** Strimzi's name for what KEDA is to Kafka. */
  static final String SCALER = "keda";

  private static final String HEAD =
      """
      # Generated from the services' code and settings; docs/operations/kubernetes.md, "Changing the broker's topology", says how.
      """;

  /** Kafka counts a batch's own bytes, too; this is its default. */
  private static final int OVERHEAD = 12;

  private KafkaResources() {}

  static String topics() {
    return HEAD
        + """
        # Messages are kept for a week, which is shorter than the inbox remembers them (onceflow.inbox.retention): a group that has lost
        # its offsets begins at the earliest. What comes to more bytes is dropped earlier, and sent again by its saga if it was needed.
        """
        + KafkaTopology.topics().stream()
            .map(KafkaResources::topic)
            .collect(Collectors.joining("---\n"));
  }

  private static String topic(String name) {
    return """
    apiVersion: kafka.strimzi.io/v1
    kind: KafkaTopic
    metadata:
      name: %1$s
      labels:
        strimzi.io/cluster: onceflow
    spec:
      partitions: %2$d
      replicas: %3$d
      config:
        cleanup.policy: delete
        min.insync.replicas: %4$d
        max.message.bytes: %5$d
        # Seven days; of each partition 512 MiB, in files of 64 MiB that are dropped as a whole.
        retention.ms: 604800000
        retention.bytes: 536870912
        segment.bytes: 67108864
    """
        .formatted(
            name,
            KafkaTopology.number("partitions"),
            KafkaTopology.number("replication"),
            KafkaTopology.number("replication") - 1,
            KafkaTopology.number("maxMessageSize") + OVERHEAD);
  }

  /** Of the services. */
  static String users() {
    return HEAD
        + """
        # Reading a topic or a group includes looking at it, and so does writing. Who may write to any topic may have a producer that is
        # idempotent.
        """
        + BrokerTopology.SERVICES.stream()
            .map(service -> user(service.name(), KafkaTopology.rights(service)))
            .collect(Collectors.joining("---\n"));
  }

  /** Who looks how far the services' groups are. */
  static String scaler() {
    return HEAD + user(SCALER, KafkaTopology.rightsOfScaler(SCALER));
  }

  private static String user(String name, Set<KafkaTopology.Right> rights) {
    TreeMap<String, TreeSet<String>> operations = new TreeMap<>();
    for (KafkaTopology.Right right : rights) {
      operations
          .computeIfAbsent(right.type() + " " + right.resource(), it -> new TreeSet<>())
          .add(right.operation());
    }
    List<String> acls = new ArrayList<>();
    operations.forEach((resource, all) -> acls.add(acl(resource.split(" "), all)));
    return """
    apiVersion: kafka.strimzi.io/v1
    kind: KafkaUser
    metadata:
      name: %s
      labels:
        strimzi.io/cluster: onceflow
    spec:
      authentication:
        type: tls
      authorization:
        type: simple
        acls:
    """
            .formatted(name)
        + String.join("", acls);
  }

  private static String acl(String[] resource, Set<String> operations) {
    return """
          - resource:
              type: %s
              name: %s
              patternType: literal
            operations: [%s]
    """
        .formatted(resource[0], resource[1], String.join(", ", operations));
  }
}
