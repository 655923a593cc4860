package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Secrets with the passwords of databases' and broker's users carry the label by which the operator
 * watches them: without it a changed password would never become that of the user.
 */
final class WatchedSecrets implements Check {

  private final List<String> problems = new ArrayList<>();

  @Override
  public List<String> problems(Cluster cluster) {
    problems.clear();
    for (Manifest user : cluster.all("User")) {
      expect(
          cluster,
          user,
          user.at("/spec/importCredentialsSecret/name"),
          "rabbitmq.com/topology-operator");
    }
    for (Manifest database : cluster.all("Cluster")) {
      expect(
          cluster, database, database.at("/spec/bootstrap/initdb/secret/name"), "cnpg.io/reload");
      for (JsonNode role : database.at("/spec/managed/roles")) {
        expect(cluster, database, role.at("/passwordSecret/name"), "cnpg.io/reload");
      }
    }
    return List.copyOf(problems);
  }

  private void expect(Cluster cluster, Manifest reader, JsonNode secret, String label) {
    boolean isLabelled =
        cluster.all("ExternalSecret").stream()
            .filter(it -> it.at("/spec/target/name").equals(secret))
            .map(it -> it.at("/spec/target/template/metadata/labels").path(label).asText())
            .anyMatch("true"::equals);
    if (!isLabelled) {
      problems.add(
          "The Secret %s, which %s reads, has no label %s"
              .formatted(secret.asText(), reader, label));
    }
  }
}
