package io.onceflow.deployment.kustomize;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Merges a patch that looks like the object. Lists of Kubernetes' own objects merge by the key that
 * its schema names; the lists that patches here touch are known, and another is refused rather than
 * guessed at. Lists of other objects are replaced, since their schemas name no keys.
 */
final class StrategicMerge {

  private static final Map<String, String> MERGE_KEYS =
      Map.of(
          "containers", "name",
          "initContainers", "name",
          "env", "name",
          "volumes", "name",
          "volumeMounts", "mountPath");

  private final boolean isCore;

  private StrategicMerge(boolean isCore) {
    this.isCore = isCore;
  }

  /** Merges into an object, whose own name and kind stay. */
  static void merge(Item item, ObjectNode patch) {
    ObjectNode changes = patch.deepCopy();
    changes.remove(List.of("apiVersion", "kind"));
    changes.withObjectProperty("metadata").remove("name");
    boolean isCore = !item.group().contains(".") || item.group().endsWith(".k8s.io");
    new StrategicMerge(isCore).mergeObject(item.node(), changes);
  }

  private void mergeObject(ObjectNode into, ObjectNode patch) {
    for (Map.Entry<String, JsonNode> field : patch.properties()) {
      String name = field.getKey();
      JsonNode change = field.getValue();
      JsonNode present = into.path(name);
      if (change.isNull()) {
        into.remove(name);
      } else if (change instanceof ObjectNode fields && present instanceof ObjectNode object) {
        mergeObject(object, fields);
      } else if (change instanceof ArrayNode elements && present instanceof ArrayNode list) {
        into.set(name, mergeList(name, list, elements));
      } else if (!(change.isObject() && change.isEmpty() && name.equals("metadata"))) {
        into.set(name, change);
      }
    }
  }

  private ArrayNode mergeList(String name, ArrayNode list, ArrayNode elements) {
    boolean isOfObjects = elements.path(0).isObject();
    if (!isCore || !isOfObjects) {
      return elements;
    }
    String key = MERGE_KEYS.get(name);
    if (key == null) {
      throw new UnsupportedOperationException("a patch of the list %s".formatted(name));
    }
    List<JsonNode> added = new ArrayList<>();
    for (JsonNode element : elements) {
      ObjectNode present = find(list, key, element.path(key));
      if (element.path("$patch").asText().equals("delete")) {
        removeFrom(list, present);
      } else if (present == null) {
        added.add(element);
      } else {
        mergeObject(present, (ObjectNode) element);
      }
    }
    // Kustomize puts what is new before what was there.
    ArrayNode merged = list.arrayNode().addAll(added);
    return merged.addAll(list);
  }

  private static void removeFrom(ArrayNode list, @Nullable ObjectNode element) {
    for (int i = list.size() - 1; i >= 0; i--) {
      if (list.get(i) == element) {
        list.remove(i);
      }
    }
  }

  private static @Nullable ObjectNode find(ArrayNode list, String key, JsonNode value) {
    for (JsonNode element : list) {
      if (element.path(key).equals(value)) {
        return (ObjectNode) element;
      }
    }
    return null;
  }
}
