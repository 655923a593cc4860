package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;

/**
 * Pods that are all alike.
 *
 * @param owner whoever makes them
 * @param ports that they listen on, by name
 */
record Pods(String owner, Map<String, String> labels, Map<String, Integer> ports) {

  /** Those of a Deployment or a StatefulSet. */
  static Pods of(Manifest owner) {
    Map<String, Integer> ports = new TreeMap<>();
    for (JsonNode container : owner.containers()) {
      for (JsonNode port : container.path("ports")) {
        ports.put(port.path("name").asText(), port.path("containerPort").asInt());
      }
    }
    return new Pods(
        owner.name(), Manifest.labels(owner.at("/spec/template/metadata/labels")), ports);
  }

  /** Whether a port, by its name or its number, is one that they listen on. */
  boolean open(JsonNode port) {
    return port.isInt() ? ports.containsValue(port.asInt()) : ports.containsKey(port.asText());
  }

  /** The number of a port by its name or number; -1 if they do not listen on it. */
  int number(JsonNode port) {
    if (!open(port)) {
      return -1;
    }
    return port.isInt() ? port.asInt() : ports.getOrDefault(port.asText(), -1);
  }
}
