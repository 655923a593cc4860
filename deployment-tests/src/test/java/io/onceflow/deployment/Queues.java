package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The queues that replicas are scaled by, and that the broker's users may use, are those that the
 * services' code declares.
 */
final class Queues implements Check {

  private static final Pattern DECLARED = Pattern.compile("new RabbitQueue\\(\\s*\"([^\"]+)\"");

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
    for (String right : List.of("configure", "write", "read")) {
      String pattern = permission.text("/spec/permissions/" + right);
      if (!Pattern.compile(pattern).matcher(queue).find()) {
        problems.add("%s does not let %s %s".formatted(permission, right, queue));
      }
    }
  }

  private static String declared(String service) {
    Path sources = Overlay.root().resolve(service).resolve("src/main/java");
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .map(file -> DECLARED.matcher(Overlay.read(file)))
          .filter(Matcher::find)
          .map(found -> found.group(1))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException(service + " declares no queue"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
