package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.StreamSupport;

/**
 * The pod of components/redis as a container of a Docker engine: its command, its user and rights,
 * its bounds and its mounts, as they are rendered.
 */
final class RedisPod implements AutoCloseable {

  /** What the kubelet does before it starts the command. */
  private static final String MOUNT =
      """
      printf %s "$CERTIFICATE" >/tls/tls.crt
      printf %s "$CERTIFICATE" >/tls/ca.crt
      printf %s "$PRIVATE_KEY" >/tls/tls.key
      printf %s "$SCRIPT" >/onceflow/start.sh
      exec "$@"
      """;

  private final String name = "onceflow-redis-pod-" + UUID.randomUUID();
  private final Manifest deployment;
  private final JsonNode container;

  private RedisPod(Manifest deployment) {
    this.deployment = deployment;
    this.container = deployment.containers().getFirst();
  }

  /** Starts it; it is not ready yet. */
  static RedisPod start(Cluster cluster, Certificate certificate)
      throws IOException, InterruptedException {
    RedisPod pod = new RedisPod(find(cluster, "Deployment", "redis"));
    JsonNode script = find(cluster, "ConfigMap", "redis-scripts").at("/data");
    Map<String, String> environment = new HashMap<>();
    environment.put("CERTIFICATE", certificate.pem());
    environment.put("PRIVATE_KEY", certificate.privateKeyPem());
    environment.put("SCRIPT", script.path("start.sh").asText());
    for (JsonNode variable : pod.container.path("env")) {
      environment.put(variable.path("name").asText(), "the password of the secret");
    }
    pod.run(environment);
    return pod;
  }

  private static Manifest find(Cluster cluster, String kind, String name) {
    return cluster.all(kind).stream()
        .filter(each -> each.name().startsWith(name))
        .findFirst()
        .orElseThrow();
  }

  private void run(Map<String, String> environment) throws IOException, InterruptedException {
    List<String> call = new ArrayList<>(List.of("run", "--detach", "--name", name));
    JsonNode user = deployment.podSpec().path("securityContext");
    call.add("--user=%s:%s".formatted(user.path("runAsUser"), user.path("fsGroup")));
    call.addAll(List.of("--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges"));
    call.add("--memory=" + container.at("/resources/limits/memory").asText().replace("Mi", "m"));
    for (JsonNode mount : container.path("volumeMounts")) {
      call.add("--tmpfs=%s:mode=1777".formatted(mount.path("mountPath").asText()));
    }
    environment.keySet().forEach(variable -> call.add("--env=" + variable));
    call.addAll(List.of("--entrypoint=sh", container.path("image").asText(), "-c", MOUNT, "sh"));
    call.addAll(texts(container.path("command")));
    Docker.Ended started = Docker.call("", environment, call.toArray(String[]::new));
    if (!started.succeeded()) {
      throw new IOException(started.said());
    }
  }

  /** Does once what the kubelet does over and over. */
  Docker.Ended probe(String probe) throws IOException, InterruptedException {
    return exec(texts(container.at("/" + probe + "/exec/command")).toArray(String[]::new));
  }

  /** Repeats the probe as often as the kubelet does until the pod has started or is given up. */
  Docker.Ended awaitStarted() throws IOException, InterruptedException {
    String seconds = container.at("/startupProbe/failureThreshold").asText();
    String repeat = "until \"$@\"; do sleep 1; done";
    List<String> call = new ArrayList<>(List.of("timeout", seconds, "sh", "-c", repeat, "sh"));
    call.addAll(texts(container.at("/startupProbe/exec/command")));
    return exec(call.toArray(String[]::new));
  }

  Docker.Ended exec(String... command) throws IOException, InterruptedException {
    List<String> call = new ArrayList<>(List.of("exec", name));
    call.addAll(List.of(command));
    return Docker.call("", Map.of(), call.toArray(String[]::new));
  }

  String log() throws IOException, InterruptedException {
    return Docker.call("", Map.of(), "logs", name).said();
  }

  private static List<String> texts(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false).map(JsonNode::asText).toList();
  }

  @Override
  public void close() throws IOException {
    try {
      Docker.call("", Map.of(), "rm", "--force", "--volumes", name);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
