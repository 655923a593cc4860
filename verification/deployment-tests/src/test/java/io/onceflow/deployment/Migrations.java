package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Each service has a Job of its image that runs its migrations and ends. The Job alone has the
 * password of the tables' owner; the service does not start before the Job has succeeded.
 */
final class Migrations implements Check {

  private final List<String> problems = new ArrayList<>();

  @Override
  public List<String> problems(Cluster cluster) {
    problems.clear();
    for (Manifest service : cluster.services()) {
      Optional<Manifest> job =
          cluster.migrations().stream()
              .filter(each -> each.application().equals(service.name()))
              .findFirst();
      expect(service, "has a Job for its migrations", job.isPresent());
      job.ifPresent(each -> check(cluster, service, each));
      Map<String, String> environment = environment(service);
      expect(
          service,
          "leaves migrations to its Job",
          "false".equals(environment.get("QUARKUS_FLYWAY_MIGRATE_AT_START")));
      expect(
          service,
          "does not start without its migrations",
          "true".equals(environment.get("QUARKUS_FLYWAY_VALIDATE_AT_START")));
      expect(
          service,
          "has no password of the tables' owner",
          !secrets(service).contains("migrations"));
    }
    return List.copyOf(problems);
  }

  private void check(Cluster cluster, Manifest service, Manifest job) {
    expect(job, "ends", "true".equals(environment(job).get("QUARKUS_INIT_AND_EXIT")));
    expect(job, "logs in as the tables' owner", secrets(job).contains("migrations"));
    expect(job, "has the image of the service", image(job).equals(image(service)));
    expect(
        job,
        "migrates the database of the service",
        database(cluster, job).equals(database(cluster, service)));
    expect(
        job,
        "is not among the pods that requests are sent to",
        cluster.all("Service").stream()
            .map(each -> Selector.ofLabels(each.at("/spec/selector")))
            .noneMatch(selector -> selector.matches(Pods.of(job).labels())));
  }

  private static String database(Cluster cluster, Manifest workload) {
    return cluster.settings(workload).getOrDefault("QUARKUS_DATASOURCE_JDBC_URL", "none");
  }

  private static String image(Manifest workload) {
    return workload.podSpec().at("/containers/0/image").asText();
  }

  /** Names and keys of the Secrets that its containers have. */
  private static String secrets(Manifest workload) {
    return workload.podSpec().findValues("secretKeyRef").toString();
  }

  private static Map<String, String> environment(Manifest workload) {
    Map<String, String> environment = new TreeMap<>();
    for (JsonNode container : workload.containers()) {
      for (JsonNode variable : container.path("env")) {
        environment.put(variable.path("name").asText(), variable.path("value").asText());
      }
    }
    return environment;
  }

  private void expect(Manifest manifest, String what, boolean isSo) {
    if (!isSo) {
      problems.add("It is not so that %s %s".formatted(manifest, what));
    }
  }
}
