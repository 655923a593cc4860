package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import io.onceflow.launcher.topology.KafkaTopology;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Each service's user may read its own topic and group and write to the topics that it sends to,
 * and no more; a scaler's may look how far the groups are.
 */
final class KafkaRights implements Check {

  @Override
  public List<String> problems(Cluster cluster) {
    if (cluster.all("Kafka").isEmpty()) {
      return List.of();
    }
    Set<KafkaTopology.Right> asked = asked(cluster);
    Set<KafkaTopology.Right> given = new HashSet<>();
    List<String> problems = new ArrayList<>();
    for (Manifest user : cluster.all("KafkaUser")) {
      if (!user.text("/spec/authentication/type").equals("tls")) {
        problems.add("%s does not identify itself by a certificate".formatted(user));
      }
      for (JsonNode acl : user.at("/spec/authorization/acls")) {
        addRights(given, user, acl, problems);
      }
    }
    missing(asked, given).forEach(right -> problems.add("nobody gives %s".formatted(right)));
    missing(given, asked).forEach(right -> problems.add("no code asks for %s".formatted(right)));
    for (Manifest kafka : cluster.all("Kafka")) {
      JsonNode authorization = kafka.at("/spec/kafka/authorization");
      boolean isOn = authorization.path("type").asText().equals("simple");
      if (!isOn || !authorization.path("superUsers").isEmpty()) {
        problems.add("%s does not hold all users to their rights".formatted(kafka));
      }
    }
    return problems;
  }

  private static Set<KafkaTopology.Right> asked(Cluster cluster) {
    KafkaTopology topology = new KafkaTopology(Samples.ALL);
    Set<KafkaTopology.Right> asked = new HashSet<>();
    Samples.ALL.forEach(service -> asked.addAll(topology.rights(service)));
    if (!cluster.all("ScaledObject").isEmpty()) {
      asked.addAll(topology.rightsOfScaler(BrokerTopologyTest.SCALER));
    }
    return asked;
  }

  private static void addRights(
      Set<KafkaTopology.Right> given, Manifest user, JsonNode acl, List<String> problems) {
    JsonNode resource = acl.path("resource");
    String name = resource.path("name").asText();
    if (!resource.path("patternType").asText().equals("literal") || name.equals("*")) {
      problems.add("%s has rights to all that %s matches".formatted(user, resource));
    }
    for (JsonNode operation : acl.path("operations")) {
      given.add(
          new KafkaTopology.Right(
              user.name(), operation.asText(), resource.path("type").asText(), name));
    }
  }

  private static Set<KafkaTopology.Right> missing(
      Set<KafkaTopology.Right> from, Set<KafkaTopology.Right> there) {
    Set<KafkaTopology.Right> missing = new HashSet<>(from);
    missing.removeAll(there);
    return missing;
  }
}
