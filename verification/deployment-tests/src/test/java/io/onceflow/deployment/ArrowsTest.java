package io.onceflow.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The network policies come to the arrows of the architecture, and to no other. */
class ArrowsTest {

  private static final List<String> OF_THE_ARCHITECTURE =
      List.of(
          "(onceflow.io/clients) -> order-service:8080",
          "payment-service -> order-service:8080",
          "shipping-service -> order-service:8080",
          "order-service -> payment-service:8081",
          "order-service -> shipping-service:8082",
          "(monitoring/prometheus) -> order-service:9000",
          "(monitoring/prometheus) -> payment-service:9001",
          "(monitoring/prometheus) -> shipping-service:9002");

  private static final List<String> SERVICES =
      List.of("order-service", "payment-service", "shipping-service");

  @Test
  void onOnesOwnMachineNothingMayTalkButByTheArrows() {
    Set<String> arrows = new TreeSet<>(OF_THE_ARCHITECTURE);
    for (String service : SERVICES) {
      arrows.add(service + " -> postgres:5432");
      arrows.add(service + "-migrations -> postgres:5432");
      arrows.add(service + " -> rabbitmq:5672");
    }

    assertThat(withoutNames(Overlay.LOCAL)).isEqualTo(arrows);
  }

  @Test
  void inProductionTheOperatorsDoTheirWorkBesideTheArrows() {
    assertThat(withoutNames(Overlay.PRODUCTION)).isEqualTo(inProduction());
  }

  @Test
  void whoIsTracedReachesTheCollectorAsWell() {
    Set<String> arrows = inProduction();
    for (String service : SERVICES) {
      arrows.add(service + " -> (observability):4317");
    }

    assertThat(withoutNames(Overlay.TRACED)).isEqualTo(arrows);
  }

  @Test
  void theServicesReachTheManagementApiWhereTheyReadIt() {
    Set<String> arrows = inProduction();
    SERVICES.forEach(service -> arrows.add(service + " -> rabbitmq:15671"));

    assertThat(withoutNames(Overlay.MANAGED)).isEqualTo(arrows);
  }

  @Test
  void theOrderServiceAloneReachesRedis() {
    Set<String> arrows = inProduction();
    arrows.add("order-service -> redis:6379");

    assertThat(withoutNames(Overlay.CACHED)).isEqualTo(arrows);
  }

  @Test
  void withStripeItsEventsComeInToThePaymentService() {
    Set<String> arrows = inProduction();
    arrows.add("(onceflow.io/clients) -> payment-service:8081");

    assertThat(withoutNames(Overlay.STRIPE)).isEqualTo(arrows);
  }

  /** Strimzi opens the ports of metrics and of health to all, within what they let out. */
  @Test
  void onKafkaItsOwnNodesAndOperatorsTakeThePlaceOfRabbitMqs() {
    Set<String> arrows = inProduction();
    arrows.removeIf(arrow -> arrow.contains("rabbitmq"));
    arrows.addAll(ofKafka());
    arrows.add("(keda/keda-operator) -> onceflow-kafka:9093");
    arrows.add("(monitoring/prometheus) -> onceflow-kafka:9404");
    arrows.add("(anywhere) -> onceflow-kafka:9404");

    assertThat(withoutNames(Overlay.KAFKA)).isEqualTo(arrows);
  }

  @Test
  void onKafkaOfOnesOwnTheServicesReachItAlone() {
    Set<String> arrows = new TreeSet<>(OF_THE_ARCHITECTURE);
    arrows.addAll(ofKafka());
    for (String service : SERVICES) {
      arrows.add(service + " -> postgres:5432");
      arrows.add(service + "-migrations -> postgres:5432");
    }

    assertThat(withoutNames(Overlay.LOCAL_KAFKA)).isEqualTo(arrows);
  }

  private static Set<String> ofKafka() {
    Set<String> arrows = new TreeSet<>();
    SERVICES.forEach(service -> arrows.add(service + " -> onceflow-kafka:9093"));
    for (int port : List.of(9090, 9091, 8443)) {
      arrows.add("(strimzi/cluster-operator) -> onceflow-kafka:%d".formatted(port));
      arrows.add("(cluster-operator) -> onceflow-kafka:%d".formatted(port));
    }
    arrows.add("onceflow-kafka -> onceflow-kafka:9090");
    arrows.add("onceflow-kafka -> onceflow-kafka:9091");
    arrows.add("onceflow-entity-operator -> onceflow-kafka:9091");
    arrows.add("(anywhere) -> onceflow-entity-operator:8080");
    arrows.add("(anywhere) -> onceflow-entity-operator:8081");
    for (String clustered : List.of("onceflow-kafka", "onceflow-entity-operator")) {
      arrows.add(clustered + " -> (anywhere):443");
      arrows.add(clustered + " -> (anywhere):6443");
    }
    return arrows;
  }

  @ParameterizedTest
  @EnumSource
  void everyPodMayResolveNames(Overlay overlay) {
    Cluster cluster = Cluster.of(overlay);

    assertThat(cluster.pods())
        .allSatisfy(
            pods ->
                assertThat(new Arrows(cluster).all())
                    .contains(pods.owner() + " -> (kube-system/kube-dns):53"));
  }

  private static Set<String> inProduction() {
    Set<String> arrows = new TreeSet<>(OF_THE_ARCHITECTURE);
    for (String migrations : List.of("", "-migrations")) {
      arrows.add("order-service%s -> orders:5432".formatted(migrations));
      arrows.add("payment-service%s -> payments:5432".formatted(migrations));
      arrows.add("shipping-service%s -> shipping:5432".formatted(migrations));
    }
    for (String service : SERVICES) {
      arrows.add(service + " -> rabbitmq:5671");
      arrows.add(service + " -> (0.0.0.0/0):443");
    }
    for (String database : List.of("orders", "payments", "shipping")) {
      arrows.add("%1$s -> %1$s:5432".formatted(database));
      arrows.add("%1$s -> %1$s:8000".formatted(database));
      arrows.add("(cnpg-system/cloudnative-pg) -> %s:5432".formatted(database));
      arrows.add("(cnpg-system/cloudnative-pg) -> %s:8000".formatted(database));
      arrows.add("(monitoring/prometheus) -> %s:9187".formatted(database));
    }
    for (String clustered : List.of("orders", "payments", "shipping", "rabbitmq")) {
      arrows.add(clustered + " -> (anywhere):443");
      arrows.add(clustered + " -> (anywhere):6443");
    }
    arrows.add("rabbitmq -> rabbitmq:4369");
    arrows.add("rabbitmq -> rabbitmq:25672");
    arrows.add("(rabbitmq-system/messaging-topology-operator) -> rabbitmq:15671");
    arrows.add("(keda/keda-operator) -> rabbitmq:5671");
    arrows.add("(monitoring/prometheus) -> rabbitmq:15691");
    return arrows;
  }

  private static Set<String> withoutNames(Overlay overlay) {
    Set<String> arrows = new Arrows(Cluster.of(overlay)).all();
    arrows.removeIf(arrow -> arrow.endsWith("(kube-system/kube-dns):53"));
    return arrows;
  }
}
