package io.onceflow.systemtests;

import io.onceflow.launcher.servers.EmbeddedKafka;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;

/** The launcher's Kafka, in a process; killed, it comes back with what it held. */
final class KafkaServer implements BrokerServer {

  private static final int PARTITIONS = 4;

  private final int port = Ports.next();
  private final EmbeddedKafka kafka;

  KafkaServer(Path output) {
    try {
      kafka =
          EmbeddedKafka.start(
              Project.file("launcher/kafka/target"),
              output.resolve("kafka"),
              port,
              output.resolve("kafka.log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Map<String, String> environment() {
    return Map.of(
        "KAFKA_BOOTSTRAP_SERVERS",
        address(),
        "ONCEFLOW_KAFKA_DECLARE",
        "true",
        "ONCEFLOW_KAFKA_PARTITIONS",
        Integer.toString(PARTITIONS),
        "ONCEFLOW_KAFKA_REPLICATION",
        "1");
  }

  @Override
  public Broker connect() {
    return new KafkaBroker(address(), PARTITIONS);
  }

  private String address() {
    return "localhost:" + port;
  }

  @Override
  public void stop() {
    kafka.kill();
  }

  @Override
  public void start() {
    try {
      kafka.startAgain();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void end() {
    kafka.kill();
  }
}
