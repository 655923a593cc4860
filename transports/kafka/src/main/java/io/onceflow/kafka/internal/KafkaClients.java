package io.onceflow.kafka.internal;

import io.onceflow.rabbitmq.internal.BrokerSettingMissing;
import io.quarkus.arc.properties.IfBuildProperty;
import io.smallrye.common.annotation.Identifier;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Makes Kafka's clients. What the application says under {@code kafka.} comes before the defaults
 * here, but not before what the guarantees depend on.
 */
@Singleton
@IfBuildProperty(name = "onceflow.transport", stringValue = "kafka")
class KafkaClients {

  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(1);

  /** A broker that does not answer in this time is as good as away. */
  private static final int REQUEST_TIMEOUT_MS = 5_000;

  private static final int IN_DOUBT_AFTER_MS = 30_000;

  private static final int METADATA_MAX_AGE_MS = 10_000;

  private final Map<String, Object> configured;
  private final int maxMessageSize;
  private @Nullable Admin admin;

  KafkaClients(
      @Identifier("default-kafka-broker") Map<String, Object> configured, KafkaConfig config) {
    if (String.valueOf(configured.getOrDefault(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, ""))
        .isBlank()) {
      throw new BrokerSettingMissing("kafka.bootstrap.servers");
    }
    this.configured = Map.copyOf(configured);
    this.maxMessageSize = config.maxMessageSize();
  }

  /** Confirms what all replicas in sync have; keeps the order of a partition when it retries. */
  KafkaProducer<byte[], byte[]> producer() {
    Map<String, Object> properties = new HashMap<>();
    properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, IN_DOUBT_AFTER_MS);
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, REQUEST_TIMEOUT_MS);
    properties.putAll(configured);
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, maxMessageSize);
    properties.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
    return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /**
   * A member of a group that has not joined yet. It never commits by itself, nor makes topics, nor
   * continues elsewhere where its offset is not there any more ({@link StartPositions}).
   *
   * @param mostRecords that a poll returns
   */
  KafkaConsumer<byte[], byte[]> consumer(String group, int mostRecords) {
    Map<String, Object> properties = new HashMap<>();
    properties.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 10_000);
    properties.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 1_000);
    properties.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 2 * REQUEST_TIMEOUT_MS);
    properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 2 * REQUEST_TIMEOUT_MS);
    properties.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 8 << 20);
    // So soon are partitions read that were added to a topic: five minutes by default.
    properties.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, METADATA_MAX_AGE_MS);
    properties.putAll(configured);
    properties.put(
        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
        CooperativeStickyAssignor.class.getName());
    properties.put(ConsumerConfig.GROUP_ID_CONFIG, group);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, mostRecords);
    return new KafkaConsumer<>(
        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** One for all, opened when first needed; it connects again by itself. */
  synchronized Admin admin() {
    Admin open = admin;
    if (open == null) {
      Map<String, Object> properties = new HashMap<>();
      properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
      properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 2 * REQUEST_TIMEOUT_MS);
      properties.putAll(configured);
      open = Admin.create(properties);
      admin = open;
    }
    return open;
  }

  @PreDestroy
  synchronized void close() {
    if (admin != null) {
      admin.close(CLOSE_WITHIN);
      admin = null;
    }
  }
}
