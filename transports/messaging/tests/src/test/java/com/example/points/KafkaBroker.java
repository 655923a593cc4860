package com.example.points;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/** A Kafka broker in the process of the tests. */
final class KafkaBroker implements AutoCloseable {

  /** Held, since a logger without a reference loses its level. */
  private static final List<Logger> HUSHED =
      Stream.of("org.apache.kafka", "kafka", "state.change.logger").map(Logger::getLogger).toList();

  private final KafkaRaftServer server;
  private final String address;

  private KafkaBroker(KafkaRaftServer server, String address) {
    this.server = server;
    this.address = address;
  }

  static KafkaBroker start() {
    HUSHED.forEach(logger -> logger.setLevel(Level.SEVERE));
    try {
      Path folder = Files.createTempDirectory("kafka");
      int port = freePort();
      int controller = freePort();
      Properties properties = properties(folder, port, controller);
      format(folder, properties);
      KafkaRaftServer server =
          new KafkaRaftServer(KafkaConfig.fromProps(properties, false), Time.SYSTEM);
      server.startup();
      return new KafkaBroker(server, "localhost:" + port);
    } catch (Exception e) {
      throw new IllegalStateException("Kafka did not start", e);
    }
  }

  String address() {
    return address;
  }

  /** Makes topics of several partitions, so that members of a group share them. */
  void create(int partitions, String... names) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
      List<NewTopic> topics =
          List.of(names).stream().map(name -> new NewTopic(name, partitions, (short) 1)).toList();
      admin.createTopics(topics).all().get();
    } catch (Exception e) {
      throw new IllegalStateException("the topics were not made", e);
    }
  }

  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
  }

  private static Properties properties(Path folder, int port, int controller) {
    Properties properties = new Properties();
    properties.putAll(
        Map.ofEntries(
            Map.entry("process.roles", "broker,controller"),
            Map.entry("node.id", "1"),
            Map.entry(
                "listeners",
                "PLAINTEXT://localhost:%d,CONTROLLER://localhost:%d".formatted(port, controller)),
            Map.entry("advertised.listeners", "PLAINTEXT://localhost:" + port),
            Map.entry("controller.listener.names", "CONTROLLER"),
            Map.entry("controller.quorum.voters", "1@localhost:" + controller),
            Map.entry("log.dirs", folder.toString()),
            Map.entry("offsets.topic.replication.factor", "1"),
            Map.entry("offsets.topic.num.partitions", "1"),
            Map.entry("transaction.state.log.replication.factor", "1"),
            Map.entry("transaction.state.log.min.isr", "1"),
            Map.entry("group.initial.rebalance.delay.ms", "0"),
            Map.entry("num.network.threads", "1"),
            Map.entry("num.io.threads", "2"),
            Map.entry("log.cleaner.dedupe.buffer.size", "1500000")));
    return properties;
  }

  private static void format(Path folder, Properties properties) throws Exception {
    new Formatter()
        .setClusterId(Uuid.randomUuid().toString())
        .setNodeId(1)
        .setControllerListenerName("CONTROLLER")
        .setMetadataLogDirectory(folder.toString())
        .addDirectory(folder.toString())
        .run();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
