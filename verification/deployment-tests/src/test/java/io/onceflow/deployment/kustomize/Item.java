package io.onceflow.deployment.kustomize;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * An object on its way to being rendered.
 *
 * @param node which transformations change
 * @param isGenerated so that its name is to end in a hash of its content
 */
record Item(ObjectNode node, boolean isGenerated) {

  String kind() {
    return node.path("kind").asText();
  }

  String group() {
    String version = node.path("apiVersion").asText();
    return version.contains("/") ? version.substring(0, version.indexOf('/')) : "";
  }

  String name() {
    return node.at("/metadata/name").asText();
  }

  boolean hasLabel(String name, String value) {
    return node.at("/metadata/labels").path(name).asText().equals(value);
  }

  ObjectNode metadata() {
    return node.withObjectProperty("metadata");
  }

  /** Of the pods that it makes; empty for an object that makes none. */
  List<ObjectNode> podTemplates() {
    return node.at("/spec/template") instanceof ObjectNode template
            && template.path("spec").has("containers")
        ? List.of(template)
        : List.of();
  }

  List<ObjectNode> containers() {
    List<ObjectNode> containers = new ArrayList<>();
    for (ObjectNode template : podTemplates()) {
      for (String list : List.of("initContainers", "containers")) {
        template.path("spec").path(list).forEach(each -> containers.add((ObjectNode) each));
      }
    }
    return containers;
  }

  /** Renames what this object's pods refer to. */
  void rename(String kind, Map<String, String> names) {
    String ref = kind.equals("ConfigMap") ? "configMap" : "secret";
    references(ref)
        .forEach(
            reference -> {
              String field = reference.has("secretName") ? "secretName" : "name";
              String renamed = names.get(reference.path(field).asText());
              if (renamed != null) {
                reference.put(field, renamed);
              }
            });
  }

  private List<ObjectNode> references(String ref) {
    List<JsonNode> found = new ArrayList<>();
    for (ObjectNode container : containers()) {
      container.path("envFrom").forEach(each -> found.add(each.path(ref + "Ref")));
      container.path("env").forEach(each -> found.add(each.at("/valueFrom/" + ref + "KeyRef")));
    }
    for (ObjectNode template : podTemplates()) {
      template.at("/spec/volumes").forEach(each -> found.add(each.path(ref)));
    }
    return found.stream()
        .flatMap(each -> each instanceof ObjectNode o ? Stream.of(o) : Stream.empty())
        .toList();
  }
}
