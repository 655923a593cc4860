package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One object as it would be applied. */
record Manifest(ObjectNode json) {

  String apiVersion() {
    return json.path("apiVersion").asText();
  }

  String kind() {
    return json.path("kind").asText();
  }

  String name() {
    return text("/metadata/name");
  }

  Map<String, String> labels() {
    return labels(at("/metadata/labels"));
  }

  JsonNode at(String pointer) {
    return json.at(pointer);
  }

  String text(String pointer) {
    return at(pointer).asText();
  }

  /** The service whose image it runs: a Job for migrations is named after it. */
  String application() {
    return name().replaceFirst("-migrations$", "");
  }

  /** Of the pods that a Deployment, a StatefulSet or a Job makes; missing for anything else. */
  JsonNode podSpec() {
    return at("/spec/template/spec");
  }

  /** Those that run before the others, too. */
  List<JsonNode> containers() {
    List<JsonNode> containers = new ArrayList<>();
    podSpec().path("initContainers").forEach(containers::add);
    podSpec().path("containers").forEach(containers::add);
    return containers;
  }

  boolean makesPods() {
    return podSpec().has("containers");
  }

  static Map<String, String> labels(JsonNode node) {
    Map<String, String> labels = new TreeMap<>();
    node.properties().forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
    return labels;
  }

  @Override
  public String toString() {
    return "%s %s".formatted(kind(), name());
  }
}
