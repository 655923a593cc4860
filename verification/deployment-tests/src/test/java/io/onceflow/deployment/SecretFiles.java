package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The files that a pod finds of its secrets. */
final class SecretFiles {

  private SecretFiles() {}

  /** Whether the first container finds a file there, by an item of a volume. */
  static boolean has(Manifest workload, String file) {
    JsonNode container = workload.podSpec().at("/containers/0");
    return stream(container.path("volumeMounts"))
        .anyMatch(
            mount ->
                items(workload, mount.path("name").asText()).stream()
                    .map(item -> mount.path("mountPath").asText() + "/" + item)
                    .anyMatch(file::equals));
  }

  private static List<String> items(Manifest workload, String volume) {
    return stream(workload.podSpec().path("volumes"))
        .filter(each -> each.path("name").asText().equals(volume))
        .flatMap(each -> stream(each.at("/secret/items")))
        .map(item -> item.path("path").asText())
        .toList();
  }

  private static Stream<JsonNode> stream(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false);
  }
}
