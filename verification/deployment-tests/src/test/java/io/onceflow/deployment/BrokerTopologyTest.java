package io.onceflow.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.deployment.kustomize.Yaml;
import io.onceflow.kafka.internal.KafkaConfig;
import io.onceflow.launcher.topology.KafkaResources;
import io.onceflow.launcher.topology.RabbitDefinitions;
import io.onceflow.launcher.topology.RabbitResources;
import io.onceflow.launcher.topology.ServiceTopology;
import io.onceflow.launcher.topology.TopicSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The broker's topology and permissions that are committed are those that {@code ./onceflow
 * topology} prints for the samples. {@code -Donceflow.regenerate} writes them anew.
 */
class BrokerTopologyTest {

  /** Strimzi's name for what KEDA is to Kafka. */
  static final String SCALER = "keda";

  private static final RabbitResources RABBITMQ = new RabbitResources(Samples.ALL, "rabbitmq");
  private static final KafkaResources KAFKA =
      new KafkaResources(Samples.ALL, TopicSize.DEFAULT, "onceflow");

  private static final Map<String, Supplier<String>> GENERATED =
      Map.of(
          "deploy/rabbitmq/definitions.json", () -> RabbitDefinitions.render(Samples.ALL),
          "deploy/kubernetes/overlays/production/broker-topology.yaml", RABBITMQ::topology,
          "deploy/kubernetes/overlays/production/broker-permissions.yaml", RABBITMQ::permissions,
          "deploy/kubernetes/components/kafka/topics.yaml", KAFKA::topics,
          "deploy/kubernetes/components/kafka/users.yaml", KAFKA::users,
          "deploy/kubernetes/components/kafka-production/scaler.yaml", () -> KAFKA.scaler(SCALER));

  static Stream<String> files() {
    return GENERATED.keySet().stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("files")
  void whatIsCommittedIsWhatTheServicesAskFor(String file) throws IOException {
    Path committed = Overlay.root().resolve(file);
    String generated = GENERATED.get(file).get();
    if (Boolean.getBoolean("onceflow.regenerate")) {
      Files.writeString(committed, generated);
    }
    assertThat(Overlay.read(committed)).isEqualTo(generated);
  }

  /** Beside them the scaler's, which no application is. */
  @Test
  void theUsersAreThoseOfTheServices() {
    Path users = Overlay.root().resolve("deploy/kubernetes/overlays/production/broker-users.yaml");
    assertThat(Overlay.read(users)).contains(RABBITMQ.users());
  }

  /** What the launcher knows without the transport. */
  @Test
  void topicsAreAsLargeAsAServiceWouldMakeThem() {
    assertThat(TopicSize.DEFAULT)
        .isEqualTo(
            new TopicSize(
                Integer.parseInt(Defaults.of(KafkaConfig.class, "partitions")),
                Integer.parseInt(Defaults.of(KafkaConfig.class, "replication")),
                Integer.parseInt(Defaults.of(KafkaConfig.class, "maxMessageSize"))));
  }

  @ParameterizedTest
  @MethodSource("services")
  void noServiceMayChangeTheTopologyNorReadAnothersQueue(String user) {
    var definitions = Yaml.tree(RabbitDefinitions.render(Samples.ALL));
    for (var right : definitions.get("permissions")) {
      if (right.path("user").asText().equals(user)) {
        assertThat(right.path("configure").asText()).isEqualTo("^$");
        for (ServiceTopology other : Samples.ALL) {
          assertThat(other.queues())
              .allMatch(
                  queue ->
                      queue.name().matches(right.path("read").asText())
                          == other.application().equals(user));
        }
      }
    }
  }

  static Stream<String> services() {
    return Samples.ALL.stream().map(ServiceTopology::application);
  }
}
