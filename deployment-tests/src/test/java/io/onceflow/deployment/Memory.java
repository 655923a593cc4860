package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A service may use as much memory as in Docker Compose, where it is measured, and asks for all of
 * it: a node that promises less than pods may take can run out.
 */
final class Memory implements Check {

  @Override
  public List<String> problems(Cluster cluster) {
    JsonNode services = Compose.read().path("services");
    List<String> problems = new ArrayList<>();
    for (Manifest service : cluster.services()) {
      String measured = services.path(service.name()).path("mem_limit").asText();
      for (JsonNode container : service.containers()) {
        check(service, container, measured.replaceFirst("m$", "Mi"), problems);
      }
    }
    return problems;
  }

  private static void check(
      Manifest service, JsonNode container, String measured, List<String> problems) {
    for (String pointer : List.of("/resources/requests/memory", "/resources/limits/memory")) {
      String given = container.at(pointer).asText();
      if (!given.equals(measured)) {
        problems.add(
            "%s: %s of %s is %s, and docker-compose.yml says %s"
                .formatted(service, pointer, container.path("name"), given, measured));
      }
    }
  }
}
