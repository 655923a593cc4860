package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import io.onceflow.deployment.kustomize.Yaml;
import java.util.List;
import java.util.stream.Stream;

/**
 * What an overlay has for the Prometheus Operator to read: the rules of {@code
 * deploy/prometheus/alerts.yml}, all of them, and no others.
 */
final class Alerts implements Check {

  @Override
  public List<String> problems(Cluster cluster) {
    JsonNode ours = Yaml.tree(Overlay.read(Overlay.root().resolve("deploy/prometheus/alerts.yml")));
    Stream<String> different =
        cluster.all("PrometheusRule").stream()
            .filter(rule -> !rule.at("/spec").equals(ours))
            .map(
                rule ->
                    "%s differs from deploy/prometheus/alerts.yml; run deploy/prometheus/make-rule.sh"
                        .formatted(rule));
    boolean isMissing =
        cluster.all("PrometheusRule").isEmpty() && !cluster.all("ServiceMonitor").isEmpty();
    return Stream.concat(
            different,
            isMissing ? Stream.of("There are monitors, and nobody is alerted") : Stream.empty())
        .toList();
  }
}
