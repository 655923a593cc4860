package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import io.onceflow.deployment.kustomize.Yaml;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * What {@code deploy/rabbitmq/create-users.sh} would tell a broker: it is run, and in the place of
 * the broker's tool is one that shows the file that it is given.
 */
final class CreateUsers {

  private static final JsonNode TOLD = run();

  private CreateUsers() {}

  /** Of all its users, to names and to routing keys. */
  static Stream<BrokerRights.Right> rights() {
    return Stream.of("permissions", "topic_permissions")
        .flatMap(list -> StreamSupport.stream(TOLD.path(list).spliterator(), false))
        .map(
            each ->
                BrokerRights.Right.of(
                    each, each.path("user").asText(), each.path("vhost").asText()));
  }

  private static JsonNode run() {
    try {
      Path tools = Files.createTempDirectory("broker-tools");
      Path shows = tool(tools, "rabbitmqctl", "cat \"${@: -1}\"");
      Path nothing = tool(tools, "chown", ":");
      String told = output(tools);
      for (Path each : List.of(shows, nothing, tools)) {
        Files.delete(each);
      }
      return Yaml.tree(told);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path tool(Path folder, String name, String does) throws IOException {
    Path tool = folder.resolve(name);
    Files.writeString(tool, "#!/usr/bin/env bash\n%s\n".formatted(does));
    return Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwx------"));
  }

  private static String output(Path tools) throws IOException {
    String script = Overlay.root().resolve("deploy/rabbitmq/create-users.sh").toString();
    ProcessBuilder call = new ProcessBuilder("bash", script).redirectErrorStream(true);
    Map<String, String> environment = call.environment();
    environment.merge("PATH", tools.toString(), (path, first) -> first + ":" + path);
    environment.remove("RABBITMQ_VIRTUAL_HOST");
    for (String service : List.of("ORDER", "PAYMENT", "SHIPPING")) {
      environment.put(service + "_SERVICE_PASSWORD", "secret");
    }
    Process process = call.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IllegalStateException("%s: %s".formatted(script, output));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    return output;
  }
}
