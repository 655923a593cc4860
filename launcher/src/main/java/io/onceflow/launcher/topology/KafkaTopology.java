package io.onceflow.launcher.topology;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What applications need of Kafka: the topics and groups that stand for exchanges and queues, as
 * {@code docs/reference/transports.md} has it, and the rights to them.
 */
public record KafkaTopology(List<ServiceTopology> applications) {

  /**
   * What a user may do, if only once.
   *
   * @param type of the resource: topic or group
   */
  public record Right(String user, String operation, String type, String resource) {}

  /** Copies the list. */
  public KafkaTopology {
    applications = List.copyOf(applications);
  }

  /** All that is read or sent to, by name. */
  public SortedSet<String> topics() {
    SortedSet<String> topics = new TreeSet<>();
    for (ServiceTopology application : applications) {
      application.queues().forEach(queue -> topics.addAll(read(queue)));
      topics.addAll(sent(application));
    }
    return topics;
  }

  /** The topics that a queue takes all of. */
  public static List<String> read(ServiceTopology.Queue queue) {
    return queue.routingKeys().stream().map(key -> topic(queue.exchange(), key)).toList();
  }

  /** The topics that it sends to; with any first word, those that one of the applications reads. */
  private SortedSet<String> sent(ServiceTopology application) {
    SortedSet<String> sent = new TreeSet<>();
    application
        .sent()
        .forEach(
            it -> {
              if (ServiceTopology.isAny(ServiceTopology.firstWord(it.key()))) {
                readOf(it.exchange()).forEach(sent::add);
              } else {
                sent.add(topic(it.exchange(), it.key()));
              }
            });
    return sent;
  }

  /** Reading includes looking how far a group is, and writing that a topic is there. */
  public Set<Right> rights(ServiceTopology application) {
    String user = application.application();
    Set<Right> rights = new HashSet<>();
    for (ServiceTopology.Queue queue : application.queues()) {
      read(queue).forEach(topic -> rights.add(new Right(user, "Read", "topic", topic)));
      rights.add(new Right(user, "Read", "group", queue.name()));
    }
    sent(application).forEach(topic -> rights.add(new Right(user, "Write", "topic", topic)));
    return rights;
  }

  /** Of the user that replicas are scaled by: how far each group is, and no message. */
  public Set<Right> rightsOfScaler(String user) {
    Set<Right> rights = new HashSet<>();
    queues()
        .forEach(
            queue -> {
              read(queue).forEach(topic -> rights.add(new Right(user, "Describe", "topic", topic)));
              rights.add(new Right(user, "Describe", "group", queue.name()));
            });
    return rights;
  }

  private Stream<String> readOf(String exchange) {
    return queues()
        .filter(queue -> queue.exchange().equals(exchange))
        .flatMap(queue -> read(queue).stream());
  }

  private Stream<ServiceTopology.Queue> queues() {
    return applications.stream().flatMap(each -> each.queues().stream());
  }

  private static String topic(String exchange, String routingKey) {
    return exchange + "." + ServiceTopology.firstWord(routingKey);
  }
}
