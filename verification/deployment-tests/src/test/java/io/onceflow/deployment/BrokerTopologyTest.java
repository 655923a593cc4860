package io.onceflow.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.deployment.kustomize.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The broker's topology and permissions that are committed are those that the services' code and
 * settings ask for. {@code -Donceflow.regenerate} writes them anew.
 */
class BrokerTopologyTest {

  private static final Map<String, Supplier<String>> GENERATED =
      Map.of(
          "deploy/rabbitmq/definitions.json", BrokerDefinitions::render,
          "deploy/kubernetes/overlays/production/broker-topology.yaml", BrokerResources::topology,
          "deploy/kubernetes/overlays/production/broker-permissions.yaml",
              BrokerResources::permissions,
          "deploy/kubernetes/components/kafka/topics.yaml", KafkaResources::topics,
          "deploy/kubernetes/components/kafka/users.yaml", KafkaResources::users,
          "deploy/kubernetes/components/kafka-production/scaler.yaml", KafkaResources::scaler);

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

  @ParameterizedTest
  @MethodSource("services")
  void noServiceMayChangeTheTopologyNorReadAnothersQueue(String user) {
    var definitions = Yaml.tree(BrokerDefinitions.render());
    for (var right : definitions.get("permissions")) {
      if (right.path("user").asText().equals(user)) {
        assertThat(right.path("configure").asText()).isEqualTo("^$");
        for (var other : BrokerTopology.SERVICES) {
          assertThat(other.queue().matches(right.path("read").asText()))
              .isEqualTo(other.name().equals(user));
        }
      }
    }
  }

  static Stream<String> services() {
    return BrokerTopology.SERVICES.stream().map(BrokerTopology.Service::name);
  }
}
