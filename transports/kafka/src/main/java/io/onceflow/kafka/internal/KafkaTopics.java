package io.onceflow.kafka.internal;

import io.onceflow.outbox.OutboxMessage;
import io.quarkus.arc.properties.IfBuildProperty;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Which topics there are. A producer would wait for one that is not, or have the broker make it; so
 * they are looked for beforehand, which makes none.
 */
@Singleton
@IfBuildProperty(name = "onceflow.transport", stringValue = "kafka")
class KafkaTopics {

  /** In which a missing topic is not looked for again. */
  private static final Duration STILL_MISSING = Duration.ofMillis(500);

  private final KafkaClients clients;
  private final KafkaState state;
  private final KafkaConfig config;
  private final Set<String> known = ConcurrentHashMap.newKeySet();
  private final Map<String, Long> missing = new ConcurrentHashMap<>();

  KafkaTopics(KafkaClients clients, KafkaState state, KafkaConfig config) {
    this.clients = clients;
    this.state = state;
    this.config = config;
  }

  /**
   * Waits until Kafka answers.
   *
   * @throws IOException when it is unavailable; a {@link KafkaRefusal} when it refuses the service
   */
  void reach(Duration atMost) throws IOException {
    int millis = Math.clamp(atMost.toMillis(), 1, Integer.MAX_VALUE);
    try {
      await(
          clients
              .admin()
              .describeCluster(new DescribeClusterOptions().timeoutMs(millis))
              .clusterId(),
          atMost);
      state.accepted("connection");
    } catch (ExecutionException e) {
      throw failure("connection", e.getCause());
    }
  }

  /**
   * Whether messages can be sent to a topic.
   *
   * @param isAddressed false for events, whose topic is made where the service makes topics: they
   *     need no receiver
   * @throws KafkaRefusal also when the service may not see this topic alone: it may be there, so
   *     that neither a command nor an event for it is done with
   */
  boolean takes(String topic, boolean isAddressed, Duration atMost) throws IOException {
    if (known.contains(topic)) {
      return true;
    }
    Long since = missing.get(topic);
    if (since != null && System.nanoTime() - since < STILL_MISSING.toNanos()) {
      return false;
    }
    boolean isThere =
        !ids(List.of(topic), atMost).isEmpty()
            || (!isAddressed && config.declare() && make(topic, atMost).isEmpty());
    if (isThere) {
      known.add(topic);
      missing.remove(topic);
    } else {
      missing.put(topic, System.nanoTime());
    }
    return isThere;
  }

  /**
   * Notes that a topic of replies is not this service's to write to. The sender of a command
   * chooses where its reply goes: while replies can be sent elsewhere, that is no fault of this
   * service.
   */
  void refuseReplies(String topic) {
    if (known.stream().anyMatch(other -> other.startsWith(OutboxMessage.REPLIES))) {
      state.tolerate("topic " + topic);
    }
  }

  /** Looks again before anything else is sent. */
  void forget() {
    known.clear();
  }

  /**
   * Looks for topics that a queue takes, or makes them.
   *
   * @return their ids by their names, which a topic does not share with one of the same name that
   *     was deleted; none while one is missing
   */
  Map<String, Uuid> look(String queue, Collection<String> topics, Duration atMost)
      throws IOException {
    Set<String> all = new TreeSet<>(topics);
    Map<String, Uuid> ids = ids(all, atMost);
    for (String topic : all) {
      Optional<String> why = ids.containsKey(topic) ? Optional.empty() : whyNotMade(topic, atMost);
      if (why.isPresent()) {
        state.refused(queue, lacks(topic, why.get()));
        return Map.of();
      }
    }
    if (ids.size() < all.size()) {
      ids = ids(all, atMost);
    }
    if (ids.size() < all.size()) {
      // Some have just been made, and this broker does not know them yet.
      return Map.of();
    }
    state.accepted(queue);
    return ids;
  }

  private Optional<String> whyNotMade(String topic, Duration atMost) throws IOException {
    return config.declare() ? make(topic, atMost) : Optional.of("it is not there");
  }

  private String lacks(String topic, String why) {
    return config.declare()
        ? "Kafka did not let this service create its topic %s: %s".formatted(topic, why)
        : "Kafka lacks the topic %s, which an administrator has to create (docs/reference/transports.md)"
            .formatted(topic);
  }

  /** By one request, however many topics are asked for; without those that are not there. */
  private Map<String, Uuid> ids(Collection<String> topics, Duration atMost) throws IOException {
    long end = System.nanoTime() + atMost.toNanos();
    Map<String, KafkaFuture<TopicDescription>> answers =
        clients.admin().describeTopics(topics).topicNameValues();
    Map<String, Uuid> ids = new HashMap<>();
    for (String topic : topics) {
      Duration left = Duration.ofNanos(end - System.nanoTime());
      id(topic, answers.get(topic), left).ifPresent(id -> ids.put(topic, id));
    }
    return ids;
  }

  private Optional<Uuid> id(String topic, KafkaFuture<TopicDescription> answer, Duration atMost)
      throws IOException {
    String who = "topic " + topic;
    try {
      Uuid id = await(answer, atMost).topicId();
      state.accepted(who);
      return Optional.of(id);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException
          || e.getCause() instanceof InvalidTopicException) {
        state.accepted(who);
        return Optional.empty();
      }
      throw failure(who, e.getCause());
    }
  }

  /** Why it could not be made; empty when it is there. */
  private Optional<String> make(String topic, Duration atMost) throws IOException {
    try {
      NewTopic made = new NewTopic(topic, config.partitions(), (short) config.replication());
      await(clients.admin().createTopics(List.of(made)).all(), atMost);
      return Optional.empty();
    } catch (ExecutionException e) {
      return e.getCause() instanceof TopicExistsException
          ? Optional.empty()
          : Optional.of(String.valueOf(e.getCause().getMessage()));
    }
  }

  private IOException failure(String who, Throwable failure) {
    if (KafkaRefusal.is(failure)) {
      KafkaRefusal refusal = new KafkaRefusal(failure);
      state.refused(who, String.valueOf(refusal.getMessage()));
      return refusal;
    }
    return new IOException("Kafka does not answer: " + failure.getMessage(), failure);
  }

  private static <T> T await(KafkaFuture<T> answer, Duration atMost)
      throws IOException, ExecutionException {
    try {
      return answer.get(Math.max(1, atMost.toMillis()), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IOException("Kafka did not answer within " + atMost, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for Kafka");
    }
  }
}
