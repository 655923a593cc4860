package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import io.onceflow.launcher.topology.KafkaTopology;
import io.onceflow.launcher.topology.ServiceTopology;
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
      List<ServiceTopology.Queue> queues = Samples.named(service.name()).queues();
      cluster
          .find("ScaledObject", service.name())
          .ifPresent(scaled -> checkTriggers(scaled, queues, problems));
      cluster
          .find("Permission", service.name())
          .ifPresent(permission -> checkPermission(permission, queues, problems));
    }
    return problems;
  }

  /** By their names, or on Kafka by the groups and the topics that stand for them. */
  private static void checkTriggers(
      Manifest scaled, List<ServiceTopology.Queue> queues, List<String> problems) {
    List<String> names = queues.stream().map(ServiceTopology.Queue::name).toList();
    expectAll(scaled, "queueName", names, problems);
    expectAll(scaled, "consumerGroup", names, problems);
    expectAll(
        scaled,
        "topic",
        queues.stream().flatMap(queue -> KafkaTopology.read(queue).stream()).toList(),
        problems);
  }

  private static void expectAll(
      Manifest scaled, String field, List<String> expected, List<String> problems) {
    for (JsonNode name : scaled.json().findValues(field)) {
      if (!expected.contains(name.asText())) {
        problems.add("%s looks at %s, and the service at %s".formatted(scaled, name, expected));
      }
    }
  }

  private static void checkPermission(
      Manifest permission, List<ServiceTopology.Queue> queues, List<String> problems) {
    Pattern pattern = Pattern.compile(permission.text("/spec/permissions/read"));
    for (ServiceTopology.Queue queue : queues) {
      if (!pattern.matcher(queue.name()).find()) {
        problems.add("%s does not let read %s".formatted(permission, queue.name()));
      }
    }
  }
}
