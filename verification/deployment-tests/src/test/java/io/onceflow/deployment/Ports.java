package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;

/** Every port that is named or numbered is one that somebody listens on. */
final class Ports implements Check {

  private static final Set<String> PROBES =
      Set.of("startupProbe", "readinessProbe", "livenessProbe");

  private final List<String> problems = new ArrayList<>();

  @Override
  public List<String> problems(Cluster cluster) {
    problems.clear();
    cluster.services().forEach(this::checkDeclared);
    cluster.workloads().forEach(this::checkProbes);
    cluster.all("Service").forEach(service -> checkService(cluster, service));
    cluster.all("ServiceMonitor").forEach(monitor -> checkMonitor(cluster, monitor));
    cluster.all("PodMonitor").forEach(monitor -> checkPodMonitor(cluster, monitor));
    cluster.all("HTTPRoute").forEach(route -> checkRoute(cluster, route));
    return List.copyOf(problems);
  }

  /** The ports of a service's pods are those of its application.properties. */
  private void checkDeclared(Manifest service) {
    ServiceSettings settings = ServiceSettings.of(service.name());
    Map<String, Integer> opened =
        Map.of(
            "http", settings.number("quarkus.http.port"),
            "management", settings.number("quarkus.management.port"));
    Map<String, Integer> declared = Pods.of(service).ports();
    if (!declared.equals(opened)) {
      problems.add("%s declares ports %s and opens %s".formatted(service, declared, opened));
    }
  }

  private void checkProbes(Manifest workload) {
    Pods pods = Pods.of(workload);
    for (JsonNode container : workload.containers()) {
      for (String probe : PROBES) {
        JsonNode port = container.path(probe).at("/httpGet/port");
        if (!port.isMissingNode() && !pods.open(port)) {
          problems.add("%s has no port %s for its %s".formatted(workload, port, probe));
        }
      }
    }
  }

  private void checkService(Cluster cluster, Manifest service) {
    for (Pods pods : cluster.pods(Selector.ofLabels(service.at("/spec/selector")))) {
      for (JsonNode port : service.at("/spec/ports")) {
        JsonNode target = port.has("targetPort") ? port.path("targetPort") : port.path("port");
        if (!pods.open(target)) {
          problems.add("%s: %s does not open port %s".formatted(service, pods.owner(), target));
        }
      }
    }
  }

  private void checkMonitor(Cluster cluster, Manifest monitor) {
    Selector selector = new Selector(monitor.at("/spec/selector"));
    for (Reachable service : cluster.reachable()) {
      if (selector.matches(service.labels())) {
        for (JsonNode endpoint : monitor.at("/spec/endpoints")) {
          if (!service.ports().containsKey(endpoint.path("port").asText())) {
            problems.add(
                "%s: Service %s has no port %s"
                    .formatted(monitor, service.name(), endpoint.path("port")));
          }
        }
      }
    }
  }

  private void checkPodMonitor(Cluster cluster, Manifest monitor) {
    for (Pods pods : cluster.pods(new Selector(monitor.at("/spec/selector")))) {
      for (JsonNode endpoint : monitor.at("/spec/podMetricsEndpoints")) {
        if (!pods.open(endpoint.path("port"))) {
          problems.add(
              "%s: %s does not open port %s"
                  .formatted(monitor, pods.owner(), endpoint.path("port")));
        }
      }
    }
  }

  private void checkRoute(Cluster cluster, Manifest route) {
    StreamSupport.stream(route.at("/spec/rules").spliterator(), false)
        .flatMap(rule -> StreamSupport.stream(rule.path("backendRefs").spliterator(), false))
        .forEach(backend -> checkBackend(cluster, route, backend));
  }

  private void checkBackend(Cluster cluster, Manifest route, JsonNode backend) {
    String name = backend.path("name").asText();
    int port = backend.path("port").asInt();
    boolean isThere =
        cluster.reachable().stream()
            .anyMatch(each -> each.name().equals(name) && each.ports().containsValue(port));
    if (!isThere) {
      problems.add("%s: Service %s has no port %d".formatted(route, name, port));
    }
  }
}
