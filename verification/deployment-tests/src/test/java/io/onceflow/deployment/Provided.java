package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** What has to be there beside an overlay is asked for by it, and told of in the guide. */
final class Provided implements Check {

  @Override
  public List<String> problems(Cluster cluster) {
    String guide = Overlay.read(Overlay.root().resolve("docs/operations/kubernetes.md"));
    List<String> problems = new ArrayList<>();
    for (JsonNode each : cluster.provided()) {
      String kind = each.path("kind").asText();
      String name = each.path("name").asText();
      boolean isNeeded =
          cluster.manifests().stream()
              .flatMap(References::of)
              .anyMatch(to -> to.kind().equals(kind) && to.name().equals(name));
      if (!isNeeded) {
        problems.add("%s %s is to be provided, and nobody refers to it".formatted(kind, name));
      }
      if (!guide.contains("`%s` `%s`".formatted(kind, name))) {
        problems.add(
            "docs/operations/kubernetes.md does not say where `%s` `%s` is from"
                .formatted(kind, name));
      }
    }
    return problems;
  }
}
