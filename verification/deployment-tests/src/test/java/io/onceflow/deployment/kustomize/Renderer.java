package io.onceflow.deployment.kustomize;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * As much of Kustomize as {@code deploy/kubernetes} uses, for machines that do not have it. Where
 * they do, {@code RenderingTest} holds it against the original.
 */
final class Renderer {

  private static final Set<String> WITHOUT_NAMESPACE = Set.of("Namespace");

  private final Path folder;
  private final JsonNode file;

  private Renderer(Path folder) {
    this.folder = folder;
    this.file = Yaml.documents(folder.resolve("kustomization.yaml")).getFirst();
    Keys.only(
        file,
        "kustomization",
        "apiVersion",
        "kind",
        "namespace",
        "resources",
        "components",
        "labels",
        "images",
        "configMapGenerator",
        "secretGenerator",
        "patches");
  }

  static List<ObjectNode> render(Path folder) {
    List<Item> items = new ArrayList<>();
    new Renderer(folder).accumulate(items);
    Map<String, Map<String, String>> renamed = new HashMap<>();
    for (Item item : items) {
      if (item.isGenerated()) {
        String name = item.name() + "-" + NameHash.of(item);
        renamed.computeIfAbsent(item.kind(), kind -> new HashMap<>()).put(item.name(), name);
        item.metadata().put("name", name);
      }
    }
    items.forEach(item -> renamed.forEach(item::rename));
    return items.stream().map(Item::node).toList();
  }

  /**
   * In Kustomize's order: what there is, what is generated, patches, and then the rest. A component
   * changes what it is given; resources of a folder do not know of others.
   */
  private void accumulate(List<Item> items) {
    file.path("resources").forEach(resource -> items.addAll(read(resource.asText())));
    file.path("components").forEach(component -> in(component.asText()).accumulate(items));
    Generator configMaps = new Generator("ConfigMap", folder);
    file.path("configMapGenerator").forEach(entry -> configMaps.generate(entry, items));
    Generator secrets = new Generator("Secret", folder);
    file.path("secretGenerator").forEach(entry -> secrets.generate(entry, items));
    file.path("patches").forEach(entry -> Patch.read(entry, folder).apply(items));
    if (file.has("namespace")) {
      items.forEach(this::setNamespace);
    }
    file.path("labels").forEach(entry -> addLabels(entry, items));
    file.path("images").forEach(entry -> setImage(entry, items));
  }

  private Renderer in(String other) {
    return new Renderer(folder.resolve(other).normalize());
  }

  private List<Item> read(String resource) {
    Path path = folder.resolve(resource);
    if (!Files.isDirectory(path)) {
      return Yaml.documents(path).stream().map(node -> new Item(node, false)).toList();
    }
    List<Item> items = new ArrayList<>();
    in(resource).accumulate(items);
    return items;
  }

  private void setNamespace(Item item) {
    String namespace = file.path("namespace").asText();
    String field = WITHOUT_NAMESPACE.contains(item.kind()) ? "name" : "namespace";
    item.metadata().put(field, namespace);
  }

  private static void addLabels(JsonNode entry, List<Item> items) {
    Keys.only(entry, "label", "pairs", "includeTemplates");
    ObjectNode pairs = (ObjectNode) entry.path("pairs");
    for (Item item : items) {
      item.metadata().withObjectProperty("labels").setAll(pairs);
      if (entry.path("includeTemplates").asBoolean()) {
        for (ObjectNode template : item.podTemplates()) {
          template.withObjectProperty("metadata").withObjectProperty("labels").setAll(pairs);
        }
      }
    }
  }

  private static void setImage(JsonNode entry, List<Item> items) {
    Keys.only(entry, "image", "name", "newTag", "newName");
    String name = entry.path("name").asText();
    String newName = entry.path("newName").asText(name);
    for (Item item : items) {
      for (ObjectNode container : item.containers()) {
        String image = container.path("image").asText();
        if (image.equals(name) || image.startsWith(name + ":")) {
          String tag = entry.path("newTag").asText(image.substring(name.length()));
          container.put("image", newName + ":" + tag.replaceFirst("^:", ""));
        }
      }
    }
  }
}
