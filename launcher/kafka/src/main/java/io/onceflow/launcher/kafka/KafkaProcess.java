package io.onceflow.launcher.kafka;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/**
 * A broker on the loopback interface, its own controller, made small for a machine that runs the
 * services as well. Topics are not made by being named.
 */
public final class KafkaProcess {

  /** The same for every start, so that data of an earlier one is taken. */
  private static final String CLUSTER = new Uuid(1, 1).toString();

  private KafkaProcess() {}

  /**
   * Runs until the process is told to end.
   *
   * @param arguments the port; a folder for its data, which is used as it is unless it is empty;
   *     and any number of further ports with the ones that clients are told in their place, such as
   *     {@code 9093:19093}, for clients that come through a proxy
   */
  public static void main(String[] arguments) throws Exception {
    int port = Integer.parseInt(arguments[0]);
    String folder = arguments[1];
    Properties properties = properties(port, freePort(), folder);
    for (int i = 2; i < arguments.length; i++) {
      addListener(properties, "PROXY" + i, arguments[i].split(":"));
    }
    new Formatter()
        .setClusterId(CLUSTER)
        .setNodeId(1)
        .setControllerListenerName("CONTROLLER")
        .setMetadataLogDirectory(folder)
        .addDirectory(folder)
        .setIgnoreFormatted(true)
        .run();
    KafkaRaftServer server =
        new KafkaRaftServer(KafkaConfig.fromProps(properties, false), Time.SYSTEM);
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown, "stop-kafka"));
    server.startup();
    server.awaitShutdown();
  }

  private static Properties properties(int port, int controller, String folder) {
    Properties properties = new Properties();
    properties.putAll(
        Map.ofEntries(
            Map.entry("process.roles", "broker,controller"),
            Map.entry("node.id", "1"),
            Map.entry(
                "listeners",
                "PLAINTEXT://localhost:%s,CONTROLLER://localhost:%s".formatted(port, controller)),
            Map.entry("advertised.listeners", "PLAINTEXT://localhost:" + port),
            Map.entry("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT"),
            Map.entry("controller.listener.names", "CONTROLLER"),
            Map.entry("controller.quorum.voters", "1@localhost:" + controller),
            Map.entry("log.dirs", folder),
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

  private static void addListener(Properties properties, String name, String[] ports) {
    append(properties, "listeners", "%s://localhost:%s".formatted(name, ports[0]));
    append(properties, "advertised.listeners", "%s://127.0.0.1:%s".formatted(name, ports[1]));
    append(properties, "listener.security.protocol.map", name + ":PLAINTEXT");
  }

  private static void append(Properties properties, String name, String value) {
    properties.merge(name, value, (before, more) -> before + "," + more);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
