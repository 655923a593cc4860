package com.example.points;

import io.onceflow.launcher.servers.FreePorts;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/** A Kafka broker in the process of the tests. */
public final class KafkaBroker implements AutoCloseable {

  /** Held, since a logger without a reference loses its level. */
  private static final List<Logger> HUSHED =
      Stream.of("org.apache.kafka", "kafka", "state.change.logger").map(Logger::getLogger).toList();

  private final KafkaControl control;

  private KafkaBroker(KafkaControl control) {
    this.control = control;
  }

  /** A server, and those that follow it on its port. */
  private static final class Servers implements KafkaControl {

    private final Properties properties;
    private final String address;
    private KafkaRaftServer running;

    Servers(Properties properties, String address) {
      this.properties = properties;
      this.address = address;
    }

    @Override
    public String getAddress() {
      return address;
    }

    @Override
    public void start() {
      Thread thread = Thread.currentThread();
      ClassLoader before = thread.getContextClassLoader();
      // Kafka finds parts of itself by name, where the application has other ones.
      thread.setContextClassLoader(KafkaRaftServer.class.getClassLoader());
      try {
        running = new KafkaRaftServer(KafkaConfig.fromProps(properties, false), Time.SYSTEM);
        running.startup();
      } finally {
        thread.setContextClassLoader(before);
      }
    }

    @Override
    public void stop() {
      running.shutdown();
      running.awaitShutdown();
    }
  }

  /**
   * The broker of this name, started the first time. A test's class is loaded twice, for the test
   * and for its application; both find the broker by JMX.
   */
  public static KafkaBroker named(String name) {
    try {
      MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
      ObjectName object = new ObjectName("com.example:type=Kafka,name=" + name);
      if (!beans.isRegistered(object)) {
        beans.registerMBean(new StandardMBean(start().control, KafkaControl.class), object);
      }
      return new KafkaBroker(JMX.newMBeanProxy(beans, object, KafkaControl.class));
    } catch (JMException e) {
      throw new IllegalStateException("no broker " + name, e);
    }
  }

  public static KafkaBroker start() {
    HUSHED.forEach(logger -> logger.setLevel(Level.SEVERE));
    try {
      Path folder = Files.createTempDirectory("kafka");
      int port = FreePorts.next();
      int controller = FreePorts.next();
      Properties properties = properties(folder, port, controller);
      format(folder, properties);
      Servers servers = new Servers(properties, "localhost:" + port);
      servers.start();
      return new KafkaBroker(servers);
    } catch (Exception e) {
      throw new IllegalStateException("Kafka did not start", e);
    }
  }

  public String address() {
    return control.getAddress();
  }

  /** Makes topics of several partitions, so that members of a group share them. */
  public void create(int partitions, String... names) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", address()))) {
      Set<String> known = admin.listTopics().names().get();
      List<NewTopic> topics =
          List.of(names).stream()
              .filter(name -> !known.contains(name))
              .map(name -> new NewTopic(name, partitions, (short) 1))
              .toList();
      admin.createTopics(topics).all().get();
    } catch (Exception e) {
      throw new IllegalStateException("the topics were not made", e);
    }
  }

  @Override
  public void close() {
    control.stop();
  }

  /** After {@link #close()}, with what it had. */
  public void startAgain() {
    control.start();
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
}
