package io.onceflow.systemtests;

import static org.apache.kafka.clients.CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Kafka: an exchange and the first word of a routing key are a topic, a queue is a group. */
public final class KafkaBroker implements Broker {

  private static final String ALL = "#";
  private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(60);
  private static final Duration WAIT_FOR_RECORDS = Duration.ofMillis(100);

  private final String address;
  private final int partitions;
  private final Admin admin;
  private final KafkaProducer<byte[], byte[]> producer;
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();

  /**
   * @param address {@code host:port}
   * @param partitions of a topic that it makes
   */
  public KafkaBroker(String address, int partitions) {
    this.address = address;
    this.partitions = partitions;
    admin = Admin.create(Map.of(BOOTSTRAP_SERVERS_CONFIG, address));
    producer =
        new KafkaProducer<>(
            Map.of(BOOTSTRAP_SERVERS_CONFIG, address, ProducerConfig.LINGER_MS_CONFIG, 0),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  @Override
  public Tap tap(String exchange, String... routingKeys) {
    List<String> topics =
        Arrays.stream(routingKeys).flatMap(it -> topics(exchange, it).stream()).distinct().toList();
    List<String> words = Arrays.stream(routingKeys).map(KafkaBroker::withoutWildcard).toList();
    Tap tap = new Tap();
    listen(
        topics,
        message -> {
          if (words.stream().anyMatch(word -> matches(message.routingKey(), word))) {
            tap.hear(List.of(message));
          }
        });
    return tap;
  }

  private static boolean matches(String routingKey, String word) {
    return word.equals(ALL) || routingKey.equals(word) || routingKey.startsWith(word + '.');
  }

  /** Hears all that comes to topics from now on, which are made where they are not there. */
  public void listen(Collection<String> topics, Consumer<Message> heard) {
    topics.forEach(this::make);
    Listener listener = new Listener(address, partitionsOfMade(topics), heard);
    listeners.add(listener);
    listener.thread.start();
  }

  /** Throws all members out of a queue's group; they join it again. */
  public void removeMembers(String queue) {
    answer(
        admin
            .removeMembersFromConsumerGroup(queue, new RemoveMembersFromConsumerGroupOptions())
            .all());
  }

  /** Of all keys: the topics that there are; of one that is not there yet: made. */
  private Collection<String> topics(String exchange, String routingKey) {
    if (routingKey.equals(ALL)) {
      return answer(admin.listTopics().names()).stream()
          .filter(topic -> topic.startsWith(exchange + '.'))
          .toList();
    }
    String topic = KafkaMessages.topic(exchange, routingKey);
    make(topic);
    return List.of(topic);
  }

  private static String withoutWildcard(String pattern) {
    return pattern.endsWith(".#") ? pattern.substring(0, pattern.length() - 2) : pattern;
  }

  @Override
  public void publish(Message message) {
    answer(producer.send(KafkaMessages.write(message)));
  }

  @Override
  public void publishAgain(int times, Collection<Message> messages) {
    List<Future<?>> confirms = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      messages.forEach(it -> confirms.add(producer.send(KafkaMessages.write(it))));
    }
    confirms.forEach(KafkaBroker::answer);
  }

  @Override
  public long waiting(String queue) {
    Map<TopicPartition, Long> ends = ends(queue);
    Map<TopicPartition, OffsetAndMetadata> committed =
        answer(admin.listConsumerGroupOffsets(queue).partitionsToOffsetAndMetadata());
    Map<TopicPartition, Long> begins = offsets(ends.keySet(), OffsetSpec.earliest());
    long waiting = 0;
    for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
      OffsetAndMetadata taken = committed.get(end.getKey());
      long from = Math.max(taken == null ? 0 : taken.offset(), begins.get(end.getKey()));
      waiting += Math.max(0, end.getValue() - from);
    }
    return waiting;
  }

  @Override
  public long purge(String queue) {
    long waiting = waiting(queue);
    Map<TopicPartition, RecordsToDelete> all = new HashMap<>();
    ends(queue).forEach((at, end) -> all.put(at, RecordsToDelete.beforeOffset(end)));
    answer(admin.deleteRecords(all).all());
    return waiting;
  }

  private Map<TopicPartition, Long> ends(String queue) {
    return offsets(partitionsOf(List.of(KafkaMessages.topicOf(queue))), OffsetSpec.latest());
  }

  private Map<TopicPartition, Long> offsets(Collection<TopicPartition> of, OffsetSpec which) {
    Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
    of.forEach(at -> wanted.put(at, which));
    Map<TopicPartition, Long> offsets = new HashMap<>();
    answer(admin.listOffsets(wanted).all()).forEach((at, it) -> offsets.put(at, it.offset()));
    return offsets;
  }

  private List<TopicPartition> partitionsOf(Collection<String> topics) {
    List<TopicPartition> all = new ArrayList<>();
    answer(admin.describeTopics(topics).allTopicNames())
        .forEach(
            (topic, it) ->
                it.partitions()
                    .forEach(one -> all.add(new TopicPartition(topic, one.partition()))));
    return all;
  }

  /** A broker learns of a topic a moment after the controller has made it. */
  private List<TopicPartition> partitionsOfMade(Collection<String> topics) {
    return await("topics that were made are known")
        .atMost(ANSWERS_WITHIN)
        .ignoreExceptionsMatching(e -> e.getCause() instanceof UnknownTopicOrPartitionException)
        .until(() -> partitionsOf(topics), all -> true);
  }

  private void make(String topic) {
    try {
      answer(admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all());
    } catch (IllegalStateException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw e;
      }
    }
  }

  private static <T> T answer(org.apache.kafka.common.KafkaFuture<T> of) {
    return answer((Future<T>) of.toCompletionStage().toCompletableFuture());
  }

  private static <T> T answer(Future<T> of) {
    try {
      return of.get(ANSWERS_WITHIN.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("Kafka refused: " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException("Kafka does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while Kafka was waited for", e);
    }
  }

  @Override
  public void close() {
    listeners.forEach(Listener::end);
    producer.close(Duration.ofSeconds(1));
    admin.close(Duration.ofSeconds(1));
  }

  /** Reads partitions from their ends on, as a member of no group. */
  private static final class Listener {
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Consumer<Message> heard;
    private final Thread thread;

    Listener(String address, List<TopicPartition> partitions, Consumer<Message> heard) {
      this.heard = heard;
      consumer =
          new KafkaConsumer<>(
              Map.of(BOOTSTRAP_SERVERS_CONFIG, address),
              new ByteArrayDeserializer(),
              new ByteArrayDeserializer());
      consumer.assign(partitions);
      consumer.seekToEnd(partitions);
      // The end is looked up now, and not with the first poll.
      partitions.forEach(consumer::position);
      thread = Thread.ofPlatform().daemon().name("tap").unstarted(this::listen);
    }

    private void listen() {
      try (consumer) {
        while (true) {
          for (ConsumerRecord<byte[], byte[]> record : consumer.poll(WAIT_FOR_RECORDS)) {
            heard.accept(KafkaMessages.read(record));
          }
        }
      } catch (WakeupException e) {
        // The test has hung up.
      }
    }

    void end() {
      consumer.wakeup();
    }
  }
}
