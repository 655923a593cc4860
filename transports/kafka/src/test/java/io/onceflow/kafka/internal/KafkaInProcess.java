package io.onceflow.kafka.internal;

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
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/** A Kafka broker in this process, to which clients come by a wire that can be cut. */
final class KafkaInProcess implements AutoCloseable {

  /** Held, since a logger without a reference loses its level. */
  private static final List<Logger> HUSHED =
      Stream.of("org.apache.kafka", "kafka", "state.change.logger").map(Logger::getLogger).toList();

  private final Properties properties;
  private final CutWire wire;
  private KafkaRaftServer server;

  private KafkaInProcess(Properties properties, CutWire wire, KafkaRaftServer server) {
    this.properties = properties;
    this.wire = wire;
    this.server = server;
  }

  static KafkaInProcess begin() {
    return begin("PLAINTEXT", Map.of());
  }

  /**
   * One whose clients speak another protocol than the controller.
   *
   * @param protocol PLAINTEXT or SSL
   * @param more settings of the broker
   */
  static KafkaInProcess begin(String protocol, Map<String, String> more) {
    HUSHED.forEach(logger -> logger.setLevel(Level.SEVERE));
    try {
      Path folder = Files.createTempDirectory("kafka");
      int port = freePort();
      CutWire wire = new CutWire(port);
      Properties properties = properties(folder, protocol, port, freePort(), wire.port());
      properties.putAll(more);
      new Formatter()
          .setClusterId(Uuid.randomUuid().toString())
          .setNodeId(1)
          .setControllerListenerName("CONTROLLER")
          .setMetadataLogDirectory(folder.toString())
          .addDirectory(folder.toString())
          .run();
      return new KafkaInProcess(properties, wire, started(properties));
    } catch (Exception e) {
      throw new IllegalStateException("Kafka did not start", e);
    }
  }

  String address() {
    return "localhost:" + wire.port();
  }

  void cutConnections() {
    wire.cut();
  }

  void stop() {
    server.shutdown();
    server.awaitShutdown();
    wire.cut();
  }

  /** With all that it had. */
  void startAgain() {
    server = started(properties);
  }

  @Override
  public void close() {
    stop();
    wire.close();
  }

  private static KafkaRaftServer started(Properties properties) {
    KafkaRaftServer server =
        new KafkaRaftServer(KafkaConfig.fromProps(properties, false), Time.SYSTEM);
    server.startup();
    return server;
  }

  private static Properties properties(
      Path folder, String protocol, int port, int controller, int wire) {
    Properties properties = new Properties();
    properties.putAll(
        Map.ofEntries(
            Map.entry("process.roles", "broker,controller"),
            Map.entry("node.id", "1"),
            Map.entry(
                "listeners",
                "%s://localhost:%d,CONTROLLER://localhost:%d"
                    .formatted(protocol, port, controller)),
            Map.entry("advertised.listeners", "%s://localhost:%d".formatted(protocol, wire)),
            Map.entry(
                "listener.security.protocol.map",
                "CONTROLLER:PLAINTEXT,%1$s:%1$s".formatted(protocol)),
            Map.entry("inter.broker.listener.name", protocol),
            Map.entry("controller.listener.names", "CONTROLLER"),
            Map.entry("controller.quorum.voters", "1@localhost:" + controller),
            Map.entry("log.dirs", folder.toString()),
            Map.entry("auto.create.topics.enable", "false"),
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

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
