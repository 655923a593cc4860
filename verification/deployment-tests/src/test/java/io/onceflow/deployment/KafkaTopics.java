package io.onceflow.deployment;

import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.kafka.internal.KafkaConfig;
import io.onceflow.launcher.topology.KafkaTopology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * An overlay on Kafka has each topic that the services' code and settings ask for, and no other,
 * with a partition for each replica that may share it, on brokers and disks that can hold it. What
 * a topic keeps is gone before the inbox forgets.
 */
final class KafkaTopics implements Check {

  private static final long MEBIBYTE = 1L << 20;
  private static final long DAY = 24L * 60 * 60 * 1000;

  /** A file is dropped when its newest record is too old: Kafka begins another within a week. */
  private static final long ROLLS_WITHIN = 7 * DAY;

  private final List<String> problems = new ArrayList<>();

  @Override
  public List<String> problems(Cluster cluster) {
    problems.clear();
    if (cluster.all("Kafka").isEmpty()) {
      return List.of();
    }
    List<Manifest> topics = cluster.all("KafkaTopic");
    Set<String> present =
        topics.stream().map(Manifest::name).collect(Collectors.toCollection(TreeSet::new));
    Set<String> asked = new KafkaTopology(Samples.ALL).topics();
    if (!present.equals(asked)) {
      problems.add("the topics are %s, and the services ask for %s".formatted(present, asked));
    }
    int nodes = nodes(cluster);
    for (Manifest topic : topics) {
      check(topic, nodes, mostReplicas(cluster));
    }
    checkDisks(cluster, topics, nodes);
    return List.copyOf(problems);
  }

  private void check(Manifest topic, int nodes, int mostReplicas) {
    int partitions = topic.at("/spec/partitions").asInt();
    int replicas = topic.at("/spec/replicas").asInt();
    expect(topic, "has a partition for each replica of a service", partitions >= mostReplicas);
    expect(
        topic, "is divided as onceflow.kafka.partitions says", partitions == number("partitions"));
    expect(topic, "has a node for each replica", replicas <= nodes && replicas >= 3);
    expect(
        topic,
        "is written to while one replica is missing, and not with less",
        config(topic, "min.insync.replicas") == replicas - 1);
    expect(
        topic,
        "takes the largest message",
        config(topic, "max.message.bytes") > number("maxMessageSize"));
    expect(
        topic,
        "has forgotten what the inbox forgets",
        config(topic, "retention.ms") + ROLLS_WITHIN < inboxRemembers());
  }

  private static int nodes(Cluster cluster) {
    return cluster.all("KafkaNodePool").stream()
        .mapToInt(pool -> pool.at("/spec/replicas").asInt())
        .sum();
  }

  /** Half of a node's disk, so that there is room for what Kafka keeps beside the messages. */
  private void checkDisks(Cluster cluster, List<Manifest> topics, int nodes) {
    long kept =
        topics.stream()
            .mapToLong(
                topic ->
                    topic.at("/spec/partitions").asLong()
                        * topic.at("/spec/replicas").asLong()
                        * (config(topic, "retention.bytes") + config(topic, "segment.bytes")))
            .sum();
    for (Manifest pool : cluster.all("KafkaNodePool")) {
      String size = pool.text("/spec/storage/volumes/0/size");
      long disk = Long.parseLong(size.replace("Gi", "")) * 1024 * MEBIBYTE;
      if (kept / nodes > disk * 6 / 10) {
        problems.add(
            "%s has disks of %s, and the topics may keep %d MiB on each"
                .formatted(pool, size, kept / nodes / MEBIBYTE));
      }
    }
  }

  /** The default of {@code onceflow.inbox.retention} in milliseconds. */
  private static long inboxRemembers() {
    return Duration.parse(Defaults.of(InboxConfig.class, "retention")).toMillis();
  }

  /** A default of {@code onceflow.kafka}. */
  private static int number(String setting) {
    return Integer.parseInt(Defaults.of(KafkaConfig.class, setting));
  }

  private static int mostReplicas(Cluster cluster) {
    return cluster.manifests().stream()
        .mapToInt(
            each ->
                Math.max(
                    each.at("/spec/maxReplicas").asInt(), each.at("/spec/maxReplicaCount").asInt()))
        .max()
        .orElseThrow();
  }

  private static long config(Manifest topic, String name) {
    return topic.at("/spec/config").path(name).asLong();
  }

  private void expect(Manifest topic, String what, boolean isSo) {
    if (!isSo) {
      problems.add("It is not so that %s %s".formatted(topic, what));
    }
  }
}
