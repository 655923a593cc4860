package io.onceflow.deployment.kustomize;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;

/** Refuses what this renderer does not know, rather than passing it over. */
final class Keys {

  private Keys() {}

  static void only(JsonNode node, String what, String... known) {
    Set<String> unknown = new HashSet<>();
    node.fieldNames().forEachRemaining(unknown::add);
    unknown.removeAll(Set.of(known));
    if (!unknown.isEmpty()) {
      throw new UnsupportedOperationException(
          "This renderer does not know %s of a %s".formatted(unknown, what));
    }
  }
}
