package io.onceflow.deployment.kustomize;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;

/** An entry of {@code patches}. */
record Patch(JsonNode change, JsonNode target) {

  static Patch read(JsonNode entry, Path folder) {
    Keys.only(entry, "patch", "path", "patch", "target");
    JsonNode change =
        entry.has("path")
            ? Yaml.documents(folder.resolve(entry.path("path").asText())).getFirst()
            : Yaml.tree(entry.path("patch").asText());
    Keys.only(entry.path("target"), "patch's target", "kind", "group", "name", "labelSelector");
    return new Patch(change, entry.path("target"));
  }

  void apply(List<Item> items) {
    List<Item> targets = items.stream().filter(this::isFor).toList();
    if (targets.isEmpty() && target.isMissingNode()) {
      throw new IllegalArgumentException("nothing to patch by %s".formatted(change));
    }
    if (change.path("$patch").asText().equals("delete")) {
      items.removeAll(targets);
    } else {
      targets.forEach(this::applyTo);
    }
  }

  private void applyTo(Item item) {
    if (change instanceof ObjectNode object) {
      StrategicMerge.merge(item, object.deepCopy());
    } else {
      JsonPatch.apply(item.node(), change.deepCopy());
    }
  }

  private boolean isFor(Item item) {
    if (target.isMissingNode()) {
      return item.kind().equals(change.path("kind").asText())
          && item.name().equals(change.at("/metadata/name").asText());
    }
    String[] label = target.path("labelSelector").asText("=").split("=", 2);
    return (!target.has("kind") || item.kind().equals(target.path("kind").asText()))
        && (!target.has("group") || item.group().equals(target.path("group").asText()))
        && (!target.has("name") || item.name().matches(target.path("name").asText()))
        && (label[0].isEmpty() || item.hasLabel(label[0], label[1]));
  }
}
