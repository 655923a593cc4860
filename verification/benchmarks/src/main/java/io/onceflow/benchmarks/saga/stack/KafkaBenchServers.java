package io.onceflow.benchmarks.saga.stack;

import io.onceflow.launcher.servers.EmbeddedKafka;
import io.onceflow.launcher.servers.FreePorts;
import io.onceflow.launcher.stack.Home;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A PostgreSQL without a broker, and the launcher's Kafka beside it. */
final class KafkaBenchServers implements BenchServers {

  private final BenchServers database;
  private final int port = FreePorts.next();
  private final EmbeddedKafka kafka;

  private KafkaBenchServers(BenchServers database, Home home) throws IOException {
    this.database = database;
    this.kafka =
        EmbeddedKafka.start(
            home.kafkaTarget(),
            home.state().resolve("bench").resolve("kafka"),
            port,
            home.log("bench-kafka"));
  }

  /** Starts Kafka; closes the database where that fails. */
  static BenchServers beside(BenchServers database, Home home) throws IOException {
    try {
      return new KafkaBenchServers(database, home);
    } catch (IOException | RuntimeException e) {
      database.close();
      throw e;
    }
  }

  @Override
  public String description() {
    return "Apache Kafka from Maven's artifacts in a separate JVM of 256 MB, one node without"
        + " replicas";
  }

  @Override
  public boolean isRabbitMq() {
    return false;
  }

  @Override
  public String jdbcUrl(String name) {
    return database.jdbcUrl(name);
  }

  @Override
  public String superuserPassword() {
    return database.superuserPassword();
  }

  @Override
  public int brokerPort() {
    return port;
  }

  @Override
  public Map<String, String> brokerSettings() {
    return Map.of(
        "KAFKA_BOOTSTRAP_SERVERS", "localhost:" + port,
        "ONCEFLOW_KAFKA_DECLARE", "true",
        "ONCEFLOW_KAFKA_PARTITIONS", "4",
        "ONCEFLOW_KAFKA_REPLICATION", "1");
  }

  @Override
  public Map<String, List<Long>> pids() {
    Map<String, List<Long>> pids = new HashMap<>(database.pids());
    pids.put(BROKER, List.of(kafka.process().pid()));
    return pids;
  }

  @Override
  public void close() {
    try (database) {
      kafka.close();
    }
  }
}
