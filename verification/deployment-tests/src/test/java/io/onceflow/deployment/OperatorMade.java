package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What operators make of the objects that they are given, as their documentation has it:
 * CloudNativePG ("Labels and annotations", "Certificates", "Monitoring"), RabbitMQ Cluster
 * Operator, External Secrets, cert-manager; Strimzi's is {@link StrimziMade}.
 */
final class OperatorMade {

  private OperatorMade() {}

  static List<Pods> pods(Manifest manifest) {
    return switch (manifest.kind()) {
      case "Cluster" -> List.of(database(manifest));
      case "RabbitmqCluster" -> List.of(broker(manifest));
      case "Kafka" -> StrimziMade.pods(manifest);
      default -> List.of();
    };
  }

  private static Pods database(Manifest cluster) {
    Map<String, String> labels =
        new HashMap<>(Manifest.labels(cluster.at("/spec/inheritedMetadata/labels")));
    labels.put("cnpg.io/cluster", cluster.name());
    labels.put("cnpg.io/podRole", "instance");
    return new Pods(
        cluster.name(), labels, Map.of("postgresql", 5432, "metrics", 9187, "status", 8000));
  }

  private static Pods broker(Manifest cluster) {
    Map<String, Integer> ports = new HashMap<>(brokerPorts(cluster));
    ports.put("epmd", 4369);
    ports.put("nodes", 25672);
    return new Pods(cluster.name(), brokerLabels(cluster), ports);
  }

  /** Those for others than nodes: in the clear, for TLS, or both. */
  private static Map<String, Integer> brokerPorts(Manifest cluster) {
    Map<String, Integer> ports = new HashMap<>();
    boolean isWithTls = cluster.at("/spec/tls").has("secretName");
    if (!cluster.at("/spec/tls/disableNonTLSListeners").asBoolean()) {
      ports.putAll(Map.of("amqp", 5672, "management", 15672));
    }
    if (isWithTls) {
      ports.putAll(Map.of("amqps", 5671, "management-tls", 15671, "prometheus-tls", 15691));
    } else {
      ports.put("prometheus", 15692);
    }
    return ports;
  }

  private static Map<String, String> brokerLabels(Manifest cluster) {
    return Map.of(
        "app.kubernetes.io/name", cluster.name(),
        "app.kubernetes.io/component", "rabbitmq",
        "app.kubernetes.io/part-of", "rabbitmq");
  }

  static List<Reachable> services(Manifest manifest) {
    String name = manifest.name();
    return switch (manifest.kind()) {
      case "Cluster" -> {
        Map<String, String> labels = Map.of("cnpg.io/cluster", name);
        Map<String, Integer> ports = Map.of("postgres", 5432);
        yield List.of(
            new Reachable(name + "-rw", labels, ports),
            new Reachable(name + "-ro", labels, ports),
            new Reachable(name + "-r", labels, ports));
      }
      case "RabbitmqCluster" ->
          List.of(new Reachable(name, brokerLabels(manifest), brokerPorts(manifest)));
      case "Kafka" -> StrimziMade.services(manifest);
      default -> List.of();
    };
  }

  /** Names and keys. */
  static Map<String, Set<String>> secrets(Manifest manifest) {
    return switch (manifest.kind()) {
      case "Cluster" -> Map.of(manifest.name() + "-ca", Set.of("ca.crt"));
      case "RabbitmqCluster" ->
          Map.of(manifest.name() + "-default-user", Set.of("username", "password", "host"));
      case "Kafka" -> StrimziMade.secrets(manifest);
      case "KafkaUser" -> StrimziMade.secretsOfUser(manifest);
      case "Certificate" ->
          Map.of(manifest.text("/spec/secretName"), Set.of("tls.crt", "tls.key", "ca.crt"));
      case "ExternalSecret" ->
          Map.of(manifest.text("/spec/target/name"), keys(manifest.at("/spec/data")));
      default -> Map.of();
    };
  }

  private static Set<String> keys(JsonNode data) {
    List<String> keys = new ArrayList<>();
    data.forEach(each -> keys.add(each.path("secretKey").asText()));
    return new HashSet<>(keys);
  }
}
