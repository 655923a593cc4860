package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.onceflow.deployment.kustomize.Yaml;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What Strimzi makes of a Kafka, as its documentation and its operator's code have it: pods of
 * brokers and of the entity operator, the Services by which clients come, Secrets, and network
 * policies that let in more than ours where a Kafka does not say otherwise.
 */
final class StrimziMade {

  private static final int CONTROL_PLANE = 9090;
  private static final int REPLICATION = 9091;
  private static final int AGENT = 8443;
  private static final int METRICS = 9404;

  private StrimziMade() {}

  static List<Pods> pods(Manifest kafka) {
    Map<String, Integer> ports = new HashMap<>(listeners(kafka));
    ports.put("tcp-ctrlplane", CONTROL_PLANE);
    ports.put("tcp-replication", REPLICATION);
    ports.put("tcp-kafkaagent", AGENT);
    if (hasMetrics(kafka)) {
      ports.put("tcp-prometheus", METRICS);
    }
    List<Pods> pods = new ArrayList<>();
    pods.add(new Pods(brokers(kafka), labels(kafka, brokers(kafka)), ports));
    if (kafka.at("/spec").has("entityOperator")) {
      String name = entityOperator(kafka);
      Map<String, Integer> health = Map.of("healthcheck-to", 8080, "healthcheck-uo", 8081);
      pods.add(new Pods(name, labels(kafka, name), health));
    }
    return pods;
  }

  static List<Reachable> services(Manifest kafka) {
    Map<String, Integer> ports = new HashMap<>(listeners(kafka));
    ports.put("tcp-replication", REPLICATION);
    String name = brokers(kafka);
    return List.of(new Reachable(name + "-bootstrap", labels(kafka, name), ports));
  }

  static Map<String, Set<String>> secrets(Manifest kafka) {
    return Map.of(
        kafka.name() + "-cluster-ca-cert", Set.of("ca.crt", "ca.p12", "ca.password"),
        kafka.name() + "-clients-ca-cert", Set.of("ca.crt", "ca.p12", "ca.password"));
  }

  /** Of the user's name. */
  static Map<String, Set<String>> secretsOfUser(Manifest user) {
    return Map.of(
        user.name(), Set.of("ca.crt", "user.crt", "user.key", "user.p12", "user.password"));
  }

  /** Its own operator may be in any namespace, and a listener without peers is open to all. */
  static List<Manifest> policies(Manifest kafka) {
    String operator =
        "{namespaceSelector: {}, podSelector: {matchLabels: {strimzi.io/kind: cluster-operator}}}";
    String own = podsNamed(brokers(kafka));
    ArrayNode ingress = JsonNodeFactory.instance.arrayNode();
    ingress.add(rule(CONTROL_PLANE, "[%s, %s]".formatted(own, operator)));
    ingress.add(
        rule(
            REPLICATION,
            "[%s, %s, %s]".formatted(own, operator, podsNamed(entityOperator(kafka)))));
    ingress.add(rule(AGENT, "[%s]".formatted(operator)));
    for (JsonNode listener : kafka.at("/spec/kafka/listeners")) {
      ObjectNode rule = rule(listener.path("port").asInt(), "[]");
      if (listener.has("networkPolicyPeers")) {
        rule.set("from", listener.path("networkPolicyPeers"));
      }
      ingress.add(rule);
    }
    if (hasMetrics(kafka)) {
      ingress.add(rule(METRICS, "[]"));
    }
    ArrayNode health = JsonNodeFactory.instance.arrayNode();
    health.add(rule(8080, "[]")).add(rule(8081, "[]"));
    return List.of(policy(brokers(kafka), ingress), policy(entityOperator(kafka), health));
  }

  private static ObjectNode rule(int port, String from) {
    ObjectNode rule = JsonNodeFactory.instance.objectNode();
    rule.putArray("ports").addObject().put("port", port);
    JsonNode peers = Yaml.tree(from);
    if (!peers.isEmpty()) {
      rule.set("from", peers);
    }
    return rule;
  }

  private static Manifest policy(String pods, ArrayNode ingress) {
    ObjectNode policy = JsonNodeFactory.instance.objectNode().put("kind", "NetworkPolicy");
    policy.putObject("metadata").put("name", pods + "-by-strimzi");
    ObjectNode spec = policy.putObject("spec");
    spec.set("podSelector", Yaml.tree("{matchLabels: {strimzi.io/name: %s}}".formatted(pods)));
    spec.putArray("policyTypes").add("Ingress");
    spec.set("ingress", ingress);
    return new Manifest(policy);
  }

  private static String podsNamed(String name) {
    return "{podSelector: {matchLabels: {strimzi.io/name: %s}}}".formatted(name);
  }

  static String brokers(Manifest kafka) {
    return kafka.name() + "-kafka";
  }

  private static String entityOperator(Manifest kafka) {
    return kafka.name() + "-entity-operator";
  }

  private static Map<String, String> labels(Manifest kafka, String name) {
    return Map.of(
        "strimzi.io/cluster", kafka.name(), "strimzi.io/kind", "Kafka", "strimzi.io/name", name);
  }

  private static boolean hasMetrics(Manifest kafka) {
    return kafka.at("/spec/kafka").has("metricsConfig");
  }

  private static Map<String, Integer> listeners(Manifest kafka) {
    Map<String, Integer> ports = new HashMap<>();
    for (JsonNode listener : kafka.at("/spec/kafka/listeners")) {
      ports.put("tcp-" + listener.path("name").asText(), listener.path("port").asInt());
    }
    return ports;
  }
}
