package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The restricted profile of Kubernetes' Pod Security Standards, and beyond it: no token of the
 * cluster's API in any pod, limits of memory, and Deployments and Jobs that write to no root file
 * system.
 */
final class PodSecurity implements Check {

  private static final Set<String> VOLUMES =
      Set.of("name", "configMap", "secret", "emptyDir", "projected", "persistentVolumeClaim");

  private final List<String> problems = new ArrayList<>();

  @Override
  public List<String> problems(Cluster cluster) {
    problems.clear();
    for (Manifest namespace : cluster.all("Namespace")) {
      expect(
          namespace,
          "enforces the restricted profile",
          "restricted".equals(namespace.labels().get("pod-security.kubernetes.io/enforce")));
    }
    cluster.workloads().forEach(this::checkPod);
    Stream<Manifest> stateless =
        Stream.concat(cluster.all("Deployment").stream(), cluster.all("Job").stream());
    for (Manifest workload : stateless.toList()) {
      for (JsonNode container : workload.containers()) {
        expect(
            workload,
            "has a read-only root file system",
            container.at("/securityContext/readOnlyRootFilesystem").asBoolean());
      }
    }
    for (Manifest account : cluster.all("ServiceAccount")) {
      expect(account, "gets no token", isOff(account.at("/automountServiceAccountToken")));
    }
    return List.copyOf(problems);
  }

  private void checkPod(Manifest workload) {
    JsonNode pod = workload.podSpec();
    expect(workload, "gets no token", isOff(pod.path("automountServiceAccountToken")));
    expect(
        workload, "runs as another than root", pod.at("/securityContext/runAsNonRoot").asBoolean());
    expect(
        workload, "runs as a user that is named", pod.at("/securityContext/runAsUser").asInt() > 0);
    expect(
        workload,
        "has a seccomp profile",
        pod.at("/securityContext/seccompProfile/type").asText().equals("RuntimeDefault"));
    for (String host : List.of("hostNetwork", "hostPID", "hostIPC")) {
      expect(workload, "stays out of the host", !pod.path(host).asBoolean());
    }
    for (JsonNode volume : pod.path("volumes")) {
      Set<String> fields = new HashSet<>();
      volume.fieldNames().forEachRemaining(fields::add);
      expect(workload, "mounts what the profile allows", VOLUMES.containsAll(fields));
    }
    workload.containers().forEach(container -> checkContainer(workload, container));
  }

  private void checkContainer(Manifest workload, JsonNode container) {
    JsonNode context = container.path("securityContext");
    expect(workload, "is not privileged", !context.path("privileged").asBoolean());
    expect(workload, "gains no privileges", isOff(context.path("allowPrivilegeEscalation")));
    expect(
        workload,
        "drops all capabilities",
        context.at("/capabilities/drop").toString().equals("[\"ALL\"]")
            && context.at("/capabilities/add").isMissingNode());
    expect(workload, "has a limit of memory", container.at("/resources/limits").has("memory"));
    expect(workload, "has no limit of cpu", !container.at("/resources/limits").has("cpu"));
  }

  private static boolean isOff(JsonNode flag) {
    return flag.isBoolean() && !flag.asBoolean();
  }

  private void expect(Manifest manifest, String what, boolean isSo) {
    if (!isSo) {
      problems.add("It is not so that %s %s".formatted(manifest, what));
    }
  }
}
