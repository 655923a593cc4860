package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Every selector finds something. */
final class Selectors implements Check {

  private final List<String> problems = new ArrayList<>();

  @Override
  public List<String> problems(Cluster cluster) {
    problems.clear();
    for (Manifest manifest : cluster.manifests()) {
      switch (manifest.kind()) {
        case "Service" ->
            expectPods(cluster, manifest, Selector.ofLabels(manifest.at("/spec/selector")));
        case "PodDisruptionBudget", "PodMonitor" -> expectPods(cluster, manifest, "/spec/selector");
        case "NetworkPolicy" -> checkPolicy(cluster, manifest);
        case "ServiceMonitor" -> expectService(cluster, manifest);
        case "Deployment", "StatefulSet" -> checkWorkload(cluster, manifest);
        default -> checkAffinity(cluster, manifest);
      }
    }
    return List.copyOf(problems);
  }

  private void expectPods(Cluster cluster, Manifest manifest, String pointer) {
    expectPods(cluster, manifest, new Selector(manifest.at(pointer)));
  }

  private void expectPods(Cluster cluster, Manifest manifest, Selector selector) {
    if (cluster.pods(selector).isEmpty()) {
      problems.add("%s selects no pod by %s".formatted(manifest, selector));
    }
  }

  private void checkPolicy(Cluster cluster, Manifest policy) {
    expectPods(cluster, policy, "/spec/podSelector");
    for (Peer peer : Peer.all(policy)) {
      if (!peer.isElsewhere()) {
        expectPods(cluster, policy, peer.selector());
      }
    }
  }

  private void expectService(Cluster cluster, Manifest monitor) {
    Selector selector = new Selector(monitor.at("/spec/selector"));
    if (cluster.reachable().stream().noneMatch(each -> selector.matches(each.labels()))) {
      problems.add("%s selects no Service by %s".formatted(monitor, selector));
    }
  }

  private void checkWorkload(Cluster cluster, Manifest workload) {
    Selector own = new Selector(workload.at("/spec/selector"));
    if (!own.matches(Pods.of(workload).labels())) {
      problems.add("%s does not select its own pods by %s".formatted(workload, own));
    }
    for (JsonNode spread : workload.podSpec().path("topologySpreadConstraints")) {
      Selector selector = new Selector(spread.path("labelSelector"));
      if (!selector.matches(Pods.of(workload).labels())) {
        problems.add("%s spreads other pods than its own by %s".formatted(workload, selector));
      }
    }
    checkAffinity(cluster, workload);
  }

  private void checkAffinity(Cluster cluster, Manifest manifest) {
    for (JsonNode selector : manifest.json().findValues("labelSelector")) {
      expectPods(cluster, manifest, new Selector(selector));
    }
  }
}
