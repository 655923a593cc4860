package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.onceflow.deployment.kustomize.Rendering;
import io.onceflow.deployment.kustomize.Yaml;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Everything of an overlay, as it would lie in a cluster.
 *
 * @param provided what its provided.yaml promises to be there beside it
 */
record Cluster(List<Manifest> manifests, List<ObjectNode> provided) {

  private static final Map<Overlay, List<ObjectNode>> RENDERED = new EnumMap<>(Overlay.class);

  /** Of an overlay as it is; each call gives a copy, which may be spoiled. */
  static synchronized Cluster of(Overlay overlay) {
    List<ObjectNode> objects =
        RENDERED.computeIfAbsent(overlay, each -> Rendering.of(each.folder()));
    return new Cluster(
        new ArrayList<>(objects.stream().map(ObjectNode::deepCopy).map(Manifest::new).toList()),
        Yaml.tree(Overlay.read(overlay.provided())).findParents("kind").stream()
            .map(ObjectNode.class::cast)
            .toList());
  }

  List<Manifest> all(String kind) {
    return manifests.stream().filter(each -> each.kind().equals(kind)).toList();
  }

  Optional<Manifest> find(String kind, String name) {
    return all(kind).stream().filter(each -> each.name().equals(name)).findFirst();
  }

  /** Whether an object is in the overlay or promised beside it. */
  boolean has(String kind, String name) {
    return find(kind, name).isPresent()
        || provided.stream()
            .anyMatch(
                each ->
                    each.path("kind").asText().equals(kind)
                        && each.path("name").asText().equals(name));
  }

  /** Deployments, StatefulSets and Jobs. */
  List<Manifest> workloads() {
    return manifests.stream().filter(Manifest::makesPods).toList();
  }

  /** The three services. */
  List<Manifest> services() {
    return all("Deployment").stream()
        .filter(each -> "service".equals(each.labels().get("app.kubernetes.io/component")))
        .toList();
  }

  /** The Jobs that migrate their databases. */
  List<Manifest> migrations() {
    return all("Job").stream()
        .filter(each -> "migrations".equals(each.labels().get("app.kubernetes.io/component")))
        .toList();
  }

  /** Services and Jobs, which run their images. */
  List<Manifest> ours() {
    return Stream.concat(services().stream(), migrations().stream()).toList();
  }

  /** Those that operators make, too. */
  List<Manifest> policies() {
    return Stream.concat(
            all("NetworkPolicy").stream(),
            all("Kafka").stream().flatMap(each -> StrimziMade.policies(each).stream()))
        .toList();
  }

  List<Pods> pods() {
    return Stream.concat(
            workloads().stream().map(Pods::of),
            manifests.stream().flatMap(each -> OperatorMade.pods(each).stream()))
        .toList();
  }

  List<Pods> pods(Selector selector) {
    return pods().stream().filter(each -> selector.matches(each.labels())).toList();
  }

  List<Reachable> reachable() {
    return Stream.concat(
            all("Service").stream().map(Cluster::reachable),
            manifests.stream().flatMap(each -> OperatorMade.services(each).stream()))
        .toList();
  }

  private static Reachable reachable(Manifest service) {
    Map<String, Integer> ports = new TreeMap<>();
    service
        .at("/spec/ports")
        .forEach(port -> ports.put(port.path("name").asText(), port.path("port").asInt()));
    return new Reachable(service.name(), service.labels(), ports);
  }

  /** The keys of all ConfigMaps, or all Secrets, by their names. */
  Map<String, Set<String>> keys(String kind) {
    Map<String, Set<String>> keys = new HashMap<>();
    all(kind).forEach(each -> keys.put(each.name(), fields(each.at("/data"))));
    if (kind.equals("Secret")) {
      manifests.forEach(each -> keys.putAll(OperatorMade.secrets(each)));
    }
    for (ObjectNode each : provided) {
      if (each.path("kind").asText().equals(kind)) {
        Set<String> named = new HashSet<>();
        each.path("keys").forEach(key -> named.add(key.asText()));
        keys.put(each.path("name").asText(), named);
      }
    }
    return keys;
  }

  /** What a service is told by the ConfigMaps of its environment. */
  Map<String, String> settings(Manifest service) {
    Map<String, String> settings = new TreeMap<>();
    for (JsonNode container : service.containers()) {
      for (JsonNode source : container.path("envFrom")) {
        find("ConfigMap", source.at("/configMapRef/name").asText())
            .ifPresent(config -> settings.putAll(Manifest.labels(config.at("/data"))));
      }
    }
    return settings;
  }

  private static Set<String> fields(JsonNode data) {
    return Manifest.labels(data).keySet();
  }
}
