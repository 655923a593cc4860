package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A service may use as much memory as in Docker Compose with the same options of the JVM, where it
 * is measured, and asks for all of it: a node that promises less than pods may take can run out.
 */
final class Memory implements Check {

  @Override
  public List<String> problems(Cluster cluster) {
    List<String> problems = new ArrayList<>();
    for (Manifest service : cluster.ours()) {
      for (JsonNode container : service.containers()) {
        String options = options(container);
        int measured = Compose.megabytes(service.application(), options);
        check(service, container, options, measured, problems);
      }
    }
    return problems;
  }

  private static String options(JsonNode container) {
    for (JsonNode variable : container.path("env")) {
      if (variable.path("name").asText().equals(Compose.JAVA_OPTIONS)) {
        return variable.path("value").asText();
      }
    }
    return "";
  }

  private static void check(
      Manifest service, JsonNode container, String options, int measured, List<String> problems) {
    for (String pointer : List.of("/resources/requests/memory", "/resources/limits/memory")) {
      String given = container.at(pointer).asText();
      if (!given.equals(measured + "Mi")) {
        problems.add(
            "%s: %s of %s is %s, and Docker Compose gives %d MB to a JVM with the options '%s'"
                .formatted(service, pointer, container.path("name"), given, measured, options));
      }
    }
  }
}
