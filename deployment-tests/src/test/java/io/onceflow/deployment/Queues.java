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
      String queue = declared(service.name());
      cluster
          .find("ScaledObject", service.name())
          .ifPresent(scaled -> checkTriggers(scaled, queue, problems));
      cluster
          .find("Permission", service.name())
          .ifPresent(permission -> checkPermission(permission, queue, problems));
    }
    return problems;
  }

  private static void checkTriggers(Manifest scaled, String queue, List<String> problems) {
    for (JsonNode name : scaled.json().findValues("queueName")) {
      if (!name.asText().equals(queue)) {
        problems.add("%s looks at %s, and the service at %s".formatted(scaled, name, queue));
      }
    }
  }

  private static void checkPermission(Manifest permission, String queue, List<String> problems) {
    String pattern = permission.text("/spec/permissions/read");
    if (!Pattern.compile(pattern).matcher(queue).find()) {
      problems.add("%s does not let read %s".formatted(permission, queue));
    }
  }

  private static String declared(String service) {
    return BrokerTopology.SERVICES.stream()
        .filter(each -> each.name().equals(service))
        .map(BrokerTopology.Service::queue)
        .findFirst()
        .orElseThrow();
  }
}
