package io.onceflow.benchmarks.saga.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The container of a service as Docker Compose would start it: image, bounds, options of the JVM.
 *
 * @param bounds options of {@code docker run}
 */
public record ServiceImage(String name, List<String> bounds) {

  /** Compose says bytes, whatever the file says. */
  private static final String NO_SWAP_BEYOND = "memswap_limit";

  private static final String JAVA_OPTIONS = "JDK_JAVA_OPTIONS";

  /** Copies the list. */
  public ServiceImage {
    bounds = List.copyOf(bounds);
  }

  /**
   * Reads what {@code docker compose config} makes of the project: of docker-compose.yml, of the
   * files that COMPOSE_FILE adds, and of .env.
   */
  public static JsonNode compose(Path project) throws IOException, InterruptedException {
    List<String> command = List.of("docker", "compose", "config", "--format", "json");
    return new ObjectMapper().readTree(CommandOutput.of(command, project));
  }

  /** The container of one of the services in it. */
  static ServiceImage of(JsonNode compose, String service) throws IOException {
    JsonNode definition = compose.at("/services/" + service);
    if (definition.isMissingNode()) {
      throw new IOException("Docker Compose knows no %s".formatted(service));
    }
    List<String> bounds = new ArrayList<>();
    bounds.addAll(List.of("--memory", definition.path("mem_limit").asText()));
    bounds.addAll(List.of("--memory-swap", definition.path(NO_SWAP_BEYOND).asText()));
    bounds.addAll(List.of("--pids-limit", definition.path("pids_limit").asText()));
    if (definition.path("read_only").asBoolean()) {
      bounds.add("--read-only");
    }
    definition.path("tmpfs").forEach(it -> bounds.addAll(List.of("--tmpfs", it.asText())));
    definition.path("cap_drop").forEach(it -> bounds.addAll(List.of("--cap-drop", it.asText())));
    JsonNode options = definition.at("/environment/" + JAVA_OPTIONS);
    if (options.isTextual()) {
      bounds.addAll(List.of("--env", JAVA_OPTIONS + "=" + options.asText()));
    }
    return new ServiceImage(definition.path("image").asText(), bounds);
  }

  /**
   * The command that starts it on this machine's own network.
   *
   * @param variables names of the environment that it is to have of its caller
   * @param publicKey a file that it may read, under the same path
   */
  List<String> command(String container, Set<String> variables, Path publicKey) {
    List<String> command =
        new ArrayList<>(List.of("docker", "run", "--rm", "--name", container, "--network", "host"));
    command.addAll(bounds);
    command.addAll(List.of("--volume", "%s:%s:ro".formatted(publicKey, publicKey)));
    new TreeSet<>(variables).forEach(it -> command.addAll(List.of("--env", it)));
    command.add(name);
    return command;
  }
}
