package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Each service has one autoscaler, a disruption budget, processor time to be scaled by, and a
 * database that has room for the connections of all its replicas.
 */
final class Scaling implements Check {

  /** Kept for operators, migrations, backups and replication. */
  private static final int CONNECTIONS_FOR_OTHERS = 50;

  private final List<String> problems = new ArrayList<>();

  @Override
  public List<String> problems(Cluster cluster) {
    problems.clear();
    for (Manifest service : cluster.services()) {
      List<Manifest> scalers = scalers(cluster, service);
      if (scalers.size() != 1) {
        problems.add("%s is scaled by %s; it needs one".formatted(service, scalers));
      }
      if (service.json().at("/spec").has("replicas")) {
        problems.add("%s says how many replicas, and so does its scaler".formatted(service));
      }
      for (JsonNode container : service.containers()) {
        if (container.at("/resources/requests/cpu").isMissingNode()) {
          problems.add("%s asks for no processor time".formatted(service));
        }
      }
      expectBudget(cluster, service);
    }
    checkConnections(cluster);
    return List.copyOf(problems);
  }

  private static List<Manifest> scalers(Cluster cluster, Manifest service) {
    return Stream.of("HorizontalPodAutoscaler", "ScaledObject")
        .flatMap(kind -> cluster.all(kind).stream())
        .filter(each -> each.text("/spec/scaleTargetRef/name").equals(service.name()))
        .toList();
  }

  private void expectBudget(Cluster cluster, Manifest service) {
    Pods pods = Pods.of(service);
    boolean isThere =
        cluster.all("PodDisruptionBudget").stream()
            .anyMatch(each -> new Selector(each.at("/spec/selector")).matches(pods.labels()));
    if (!isThere) {
      problems.add("%s has no disruption budget".formatted(service));
    }
  }

  private void checkConnections(Cluster cluster) {
    for (Manifest database : cluster.all("Cluster")) {
      int most = database.at("/spec/postgresql/parameters/max_connections").asInt();
      checkConnections(database, most, connections(cluster, database.name()));
    }
    for (Manifest postgres : cluster.all("StatefulSet")) {
      if (postgres.name().equals("postgres")) {
        String option = postgres.at("/spec/template/spec/containers/0/args/1").asText();
        int most = Integer.parseInt(option.replace("max_connections=", ""));
        checkConnections(postgres, most, connections(cluster, ""));
      }
    }
  }

  private void checkConnections(Manifest database, int most, int wanted) {
    if (most < wanted + CONNECTIONS_FOR_OTHERS) {
      problems.add(
          "%s takes %d connections; the services may want %d, and others need %d"
              .formatted(database, most, wanted, CONNECTIONS_FOR_OTHERS));
    }
  }

  /** What all replicas and the one more of a rollout may want, of services whose URL names it. */
  private static int connections(Cluster cluster, String database) {
    return cluster.services().stream()
        .filter(
            service ->
                cluster.manifests().stream()
                    .filter(each -> each.kind().equals("ConfigMap"))
                    .filter(each -> each.name().startsWith(service.name()))
                    .anyMatch(
                        each ->
                            each.text("/data/QUARKUS_DATASOURCE_JDBC_URL")
                                .contains("//" + database)))
        .mapToInt(service -> connections(cluster, service))
        .sum();
  }

  private static int connections(Cluster cluster, Manifest service) {
    int replicas =
        scalers(cluster, service).stream()
            .mapToInt(
                each ->
                    Math.max(
                        each.at("/spec/maxReplicas").asInt(),
                        each.at("/spec/maxReplicaCount").asInt()))
            .sum();
    int surge = service.at("/spec/strategy/rollingUpdate/maxSurge").asInt();
    int pool = ServiceSettings.of(service.name()).number("quarkus.datasource.jdbc.max-size");
    return (replicas + surge) * pool;
  }
}
