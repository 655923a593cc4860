package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The pods that Strimzi makes keep to the restricted profile, which the namespace enforces, and
 * write to no root file system; the templates in the Kafka say so.
 */
final class KafkaPodSecurity implements Check {

  private static final List<String> CONTAINERS =
      List.of(
          "/spec/kafka/template/kafkaContainer",
          "/spec/entityOperator/template/topicOperatorContainer",
          "/spec/entityOperator/template/userOperatorContainer");

  private final List<String> problems = new ArrayList<>();

  @Override
  public List<String> problems(Cluster cluster) {
    problems.clear();
    for (Manifest kafka : cluster.all("Kafka")) {
      for (String part : List.of("kafka", "entityOperator")) {
        JsonNode pod = kafka.at("/spec/%s/template/pod/securityContext".formatted(part));
        expect(kafka, part, "runs as another than root", pod.path("runAsNonRoot").asBoolean());
        expect(kafka, part, "runs as a user that is named", pod.path("runAsUser").asInt() > 0);
        expect(
            kafka,
            part,
            "has a seccomp profile",
            pod.at("/seccompProfile/type").asText().equals("RuntimeDefault"));
      }
      for (String container : CONTAINERS) {
        JsonNode context = kafka.at(container + "/securityContext");
        expect(
            kafka,
            container,
            "gains no privileges",
            !context.path("allowPrivilegeEscalation").asBoolean(true));
        expect(
            kafka,
            container,
            "has a read-only root file system",
            context.path("readOnlyRootFilesystem").asBoolean());
        expect(
            kafka,
            container,
            "drops all capabilities",
            context.at("/capabilities/drop").toString().equals("[\"ALL\"]"));
      }
    }
    return List.copyOf(problems);
  }

  private void expect(Manifest kafka, String part, String what, boolean isSo) {
    if (!isSo) {
      problems.add("It is not so that %s of %s %s".formatted(part, kafka, what));
    }
  }
}
