package io.onceflow.deployment.kustomize;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The operations add, replace and remove of RFC 6902. */
final class JsonPatch {

  private JsonPatch() {}

  static void apply(ObjectNode node, JsonNode operations) {
    operations.forEach(operation -> applyOne(node, operation));
  }

  private static void applyOne(ObjectNode node, JsonNode operation) {
    JsonPointer path = JsonPointer.compile(operation.path("path").asText());
    JsonNode parent = node.at(path.head());
    String last = path.last().getMatchingProperty();
    String what = operation.path("op").asText();
    if (!what.equals("add") && node.at(path).isMissingNode()) {
      throw new IllegalArgumentException("%s: there is no %s".formatted(what, path));
    }
    JsonNode value = operation.path("value");
    switch (parent) {
      case ObjectNode object -> change(object, last, what, value);
      case ArrayNode list -> change(list, last, what, value);
      default -> throw new IllegalArgumentException("there is no %s".formatted(path.head()));
    }
  }

  private static void change(ObjectNode object, String name, String what, JsonNode value) {
    switch (what) {
      case "add", "replace" -> object.set(name, value);
      case "remove" -> object.remove(name);
      default -> throw new UnsupportedOperationException(what);
    }
  }

  private static void change(ArrayNode list, String at, String what, JsonNode value) {
    switch (what) {
      case "add" -> list.insert(at.equals("-") ? list.size() : Integer.parseInt(at), value);
      case "replace" -> list.set(Integer.parseInt(at), value);
      case "remove" -> list.remove(Integer.parseInt(at));
      default -> throw new UnsupportedOperationException(what);
    }
  }
}
