package io.onceflow.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.onceflow.deployment.kustomize.Tool;
import io.onceflow.deployment.kustomize.Yaml;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The generic base, used for an application that is none of the samples. */
class ApplicationTest {

  private static final Path TRIPS =
      Overlay.root().resolve("verification/deployment-tests/src/test/resources/overlays/trips");

  /** Secrets are the adopter's. */
  private static final String PROVIDED =
      """
      - {kind: Secret, name: database, keys: [username, password]}
      - {kind: Secret, name: database-migrations, keys: [username, password]}
      - {kind: Secret, name: broker, keys: [RABBITMQ_USERNAME, RABBITMQ_PASSWORD]}
      """;

  private Cluster cluster;

  @BeforeEach
  void render() {
    assumeTrue(Tool.find().isPresent(), "neither kubectl nor kustomize is installed");
    cluster =
        new Cluster(
            Tool.find().orElseThrow().render(TRIPS).stream().map(Manifest::new).toList(),
            Yaml.tree(PROVIDED).findParents("kind").stream().map(ObjectNode.class::cast).toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"schemas", "references", "selectors", "policies", "migrations", "pod security"})
  void hasNoMistake(String check) {
    assertThat(OverlaysTest.CHECKS.get(check).problems(cluster)).isEmpty();
  }

  @Test
  void isNamedAndLabelledAsTheApplication() {
    assertThat(cluster.manifests())
        .allMatch(each -> each.name().startsWith("trips-"))
        .allMatch(each -> each.text("/metadata/namespace").equals("travel"))
        .allMatch(each -> "trips".equals(each.labels().get("app.kubernetes.io/name")));
    assertThat(cluster.ours())
        .hasSize(2)
        .allMatch(
            each ->
                each.podSpec()
                    .at("/containers/0/image")
                    .asText()
                    .equals("registry.example.com/travel/trips:1.4.2"));
  }

  @Test
  void mayReachItsDatabaseAndItsBrokerAndNoMore() {
    assertThat(new Arrows(cluster).all())
        .containsExactlyInAnyOrder(
            "(onceflow.io/clients) -> trips-service:8080",
            "(monitoring/prometheus) -> trips-service:9000",
            "trips-service -> (anywhere):5432",
            "trips-service -> (anywhere):5671",
            "trips-service -> (anywhere):9093",
            "trips-service -> (anywhere):443",
            "trips-service-migrations -> (anywhere):5432",
            "trips-service -> (kube-system/kube-dns):53",
            "trips-service-migrations -> (kube-system/kube-dns):53");
  }

  /** Alerts and dashboard find it by this label, whatever it is called. */
  @Test
  void itsMetricsSayThatItRunsOnceflow() {
    assertThat(cluster.all("ServiceMonitor"))
        .singleElement()
        .satisfies(
            monitor ->
                assertThat(monitor.at("/spec/endpoints/0/relabelings/0").toString())
                    .contains("\"targetLabel\":\"product\"", "\"replacement\":\"onceflow\""));
    assertThat(Overlay.read(Overlay.root().resolve("deploy/prometheus/prometheus.yml")))
        .contains("target_label: product\n        replacement: onceflow");
  }

  @Test
  void noAlertKnowsTheSamples() {
    assertThat(Overlay.read(Overlay.root().resolve("deploy/prometheus/alerts.yml")))
        .doesNotContain("order-service", "payment-service", "shipping-service", "place-order");
  }

  /** As docs/operations/kubernetes.md shows it. */
  @Test
  void theGuideHasThisExample() {
    List<String> guide =
        Overlay.read(Overlay.root().resolve("docs/operations/kubernetes.md")).lines().toList();
    assertThat(Overlay.read(TRIPS.resolve("kustomization.yaml")).lines())
        .filteredOn(line -> !line.startsWith("#") && !line.contains("../"))
        .allSatisfy(line -> assertThat(guide).contains(line));
  }
}
