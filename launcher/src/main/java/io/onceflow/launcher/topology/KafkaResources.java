package io.onceflow.launcher.topology;

import io.onceflow.launcher.topology.KafkaTopology.Right;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The resources of Strimzi's topic operator and user operator. */
public final class KafkaResources {

  private static final String ABOUT_TOPICS =
      """
      # Messages are kept for a week, which is shorter than the inbox remembers them (onceflow.inbox.retention): a group that has lost
      # its offsets begins at the earliest. What comes to more bytes is dropped earlier, and sent again by its saga if it was needed.
      """;

  private static final String ABOUT_USERS =
      """
      # Reading a topic or a group includes looking at it, and so does writing. Who may write to any topic may have a producer that is
      # idempotent.
      """;

  private final KafkaTopology topology;
  private final TopicSize size;
  private final String cluster;

  /**
   * @param cluster the name of the Kafka
   */
  public KafkaResources(List<ServiceTopology> applications, TopicSize size, String cluster) {
    this.topology = new KafkaTopology(applications);
    this.size = size;
    this.cluster = cluster;
  }

  /** All topics. */
  public String topics() {
    Documents documents = new Documents();
    topology.topics().forEach(topic -> addTopic(documents, topic));
    return documents.file(ABOUT_TOPICS);
  }

  /** Of the applications, with their rights. */
  public String users() {
    Documents documents = new Documents();
    addUsers(documents);
    return documents.file(ABOUT_USERS);
  }

  /** Who looks how far the applications' groups are. */
  public String scaler(String user) {
    Documents documents = new Documents();
    addUser(documents, user, topology.rightsOfScaler(user));
    return documents.file("");
  }

  /** All of them; without a scaler if it is null. */
  String all(@Nullable String scaler) {
    Documents documents = new Documents();
    topology.topics().forEach(topic -> addTopic(documents, topic));
    addUsers(documents);
    if (scaler != null) {
      addUser(documents, scaler, topology.rightsOfScaler(scaler));
    }
    return documents.file(ABOUT_TOPICS + ABOUT_USERS);
  }

  private void addTopic(Documents documents, String topic) {
    String name = Documents.nameWithDots(topic);
    documents.add(
        "KafkaTopic",
        name,
        """
        apiVersion: kafka.strimzi.io/v1
        kind: KafkaTopic
        metadata:
          name: %s
          labels:
            strimzi.io/cluster: %s
        spec:
        %s  partitions: %s
          replicas: %s
          config:
            cleanup.policy: delete
            min.insync.replicas: %s
            max.message.bytes: %s
            # Seven days; of each partition 512 MiB, in files of 64 MiB that are dropped as a whole.
            retention.ms: 604800000
            retention.bytes: 536870912
            segment.bytes: 67108864
        """
            .formatted(
                name,
                cluster,
                name.equals(topic) ? "" : "  topicName: %s\n".formatted(topic),
                size.partitions(),
                size.replicas(),
                size.replicasInSync(),
                size.largestBatch()));
  }

  private void addUsers(Documents documents) {
    for (ServiceTopology each : topology.applications()) {
      addUser(documents, each.application(), topology.rights(each));
    }
  }

  private void addUser(Documents documents, String user, Set<Right> rights) {
    TreeMap<String, TreeSet<String>> operations = new TreeMap<>();
    for (Right right : rights) {
      operations
          .computeIfAbsent(right.type() + " " + right.resource(), it -> new TreeSet<>())
          .add(right.operation());
    }
    List<String> acls = new ArrayList<>();
    operations.forEach((resource, all) -> acls.add(acl(resource.split(" "), all)));
    String name = Documents.nameWithDots(user);
    documents.add(
        "KafkaUser",
        name,
        """
        apiVersion: kafka.strimzi.io/v1
        kind: KafkaUser
        metadata:
          name: %s
          labels:
            strimzi.io/cluster: %s
        spec:
          authentication:
            type: tls
          authorization:
            type: simple
            acls:
        """
                .formatted(name, cluster)
            + String.join("", acls));
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
