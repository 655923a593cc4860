package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The pods that RabbitMQ's cluster operator makes keep to the restricted profile, which the
 * namespace enforces. Operators up to 2.16 do not set it by themselves, so the override says so.
 */
final class BrokerPodSecurity implements Check {

  private final List<String> problems = new ArrayList<>();

  @Override
  public List<String> problems(Cluster cluster) {
    problems.clear();
    for (Manifest broker : cluster.all("RabbitmqCluster")) {
      JsonNode pod = broker.at("/spec/override/statefulSet/spec/template/spec");
      JsonNode context = pod.path("securityContext");
      expect(
          broker.toString(), "runs as another than root", context.path("runAsNonRoot").asBoolean());
      expect(
          broker.toString(),
          "has a seccomp profile",
          context.at("/seccompProfile/type").asText().equals("RuntimeDefault"));
      checkContainer(broker, pod.path("initContainers"), "setup-container");
      checkContainer(broker, pod.path("containers"), "rabbitmq");
    }
    return List.copyOf(problems);
  }

  /** By the names that the operator gives them: an override of another one would change nothing. */
  private void checkContainer(Manifest broker, JsonNode containers, String name) {
    JsonNode context = containers.path(0).path("securityContext");
    String container = "%s of %s".formatted(name, broker);
    expect(container, "is overridden", containers.path(0).path("name").asText().equals(name));
    expect(
        container,
        "gains no privileges",
        !context.path("allowPrivilegeEscalation").asBoolean(true));
    expect(
        container,
        "drops all capabilities",
        context.at("/capabilities/drop").toString().equals("[\"ALL\"]"));
  }

  private void expect(String who, String what, boolean isSo) {
    if (!isSo) {
      problems.add("It is not so that %s %s".formatted(who, what));
    }
  }
}
