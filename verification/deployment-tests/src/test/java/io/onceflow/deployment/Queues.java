package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The queues that replicas are scaled by, and that the broker's users may use, are those that the
 * services' code declares.
 */
final class Queues implements Check {

  @Override
  public List<String> problems(Cluster cluster) {
    List<String> problems = new ArrayList<>();
    for (Manifest service : cluster.services()) {
      BrokerTopology.Service declared = declared(service.name());
      String queue = declared.queue();
      cluster
          .find("ScaledObject", service.name())
          .ifPresent(scaled -> checkTriggers(scaled, declared, problems));
      cluster
          .find("Permission", service.name())
          .ifPresent(permission -> checkPermission(permission, queue, problems));
    }
    return problems;
  }

  /** By its name, or on Kafka by the group and the topic that stand for it. */
  private static void checkTriggers(
      Manifest scaled, BrokerTopology.Service service, List<String> problems) {
    expectAll(scaled, "queueName", service.queue(), problems);
    expectAll(scaled, "consumerGroup", service.queue(), problems);
    expectAll(scaled, "topic", KafkaTopology.read(service), problems);
  }

  private static void expectAll(
      Manifest scaled, String field, String expected, List<String> problems) {
    for (JsonNode name : scaled.json().findValues(field)) {
      if (!name.asText().equals(expected)) {
        problems.add("%s looks at %s, and the service at %s".formatted(scaled, name, expected));
      }
    }
  }

  private static void checkPermission(Manifest permission, String queue, List<String> problems) {
    String pattern = permission.text("/spec/permissions/read");
    if (!Pattern.compile(pattern).matcher(queue).find()) {
      problems.add("%s does not let read %s".formatted(permission, queue));
    }
  }

  private static BrokerTopology.Service declared(String service) {
    return BrokerTopology.SERVICES.stream()
        .filter(each -> each.name().equals(service))
        .findFirst()
        .orElseThrow();
  }
}
