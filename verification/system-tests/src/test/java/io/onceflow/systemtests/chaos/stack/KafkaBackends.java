package io.onceflow.systemtests.chaos.stack;

import io.onceflow.launcher.servers.EmbeddedKafka;
import io.onceflow.launcher.servers.Folders;
import io.onceflow.systemtests.Ports;
import io.onceflow.systemtests.Project;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/**
 * Kafka in a process, which keeps what it has when it is killed, beside the database of another
 * stack. Kafka tells its clients where it is: it has a listener for each process' proxy, which says
 * that it is at the proxy.
 */
final class KafkaBackends implements Backends {

  private static final int PROCESSES = 6;

  private final Backends databases;
  private final int port = Ports.next();
  private final Path data = Files.createTempDirectory("onceflow-kafka");
  private final Queue<Proxy> proxies = new ArrayDeque<>();
  private final EmbeddedKafka kafka;

  KafkaBackends(Backends databases, Path logs) throws IOException {
    this.databases = databases;
    Map<Integer, Integer> listeners = new HashMap<>();
    for (int i = 0; i < PROCESSES; i++) {
      int behind = Ports.next();
      Proxy proxy = new Proxy(behind);
      proxies.add(proxy);
      listeners.put(behind, proxy.port());
    }
    Path target = Project.file("launcher/kafka/target");
    kafka = EmbeddedKafka.start(target, data, port, listeners, logs.resolve("kafka.log"));
  }

  @Override
  public String description() {
    return "PostgreSQL, and Kafka in a process of its own";
  }

  @Override
  public boolean brokerKeeps() {
    return true;
  }

  @Override
  public int databasePort() {
    return databases.databasePort();
  }

  @Override
  public Connection superuser(String database) throws SQLException {
    return databases.superuser(database);
  }

  @Override
  public int brokerPort() {
    return port;
  }

  @Override
  public Proxy proxyToBroker() {
    return proxies.remove();
  }

  @Override
  public Map<String, String> brokerSettings(Proxy proxy) {
    return Map.of(
        "KAFKA_BOOTSTRAP_SERVERS",
        "127.0.0.1:" + proxy.port(),
        "ONCEFLOW_KAFKA_DECLARE",
        "true",
        "ONCEFLOW_KAFKA_PARTITIONS",
        "4",
        "ONCEFLOW_KAFKA_REPLICATION",
        "1");
  }

  @Override
  public void killDatabase() throws IOException, InterruptedException {
    databases.killDatabase();
  }

  @Override
  public void startDatabase() throws IOException, InterruptedException {
    databases.startDatabase();
  }

  @Override
  public void killBroker() {
    kafka.kill();
  }

  @Override
  public void startBroker() throws IOException {
    kafka.startAgain();
  }

  @Override
  public boolean hasGroups() {
    return true;
  }

  @Override
  public boolean canAlarm() {
    return false;
  }

  @Override
  public void alarm(boolean raised) throws IOException {
    throw new IOException("Kafka has no alarms");
  }

  @Override
  public void close() {
    kafka.kill();
    databases.close();
    try {
      Folders.delete(data);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
