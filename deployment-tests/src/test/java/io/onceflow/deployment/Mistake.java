package io.onceflow.deployment;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.onceflow.deployment.kustomize.Yaml;
import java.util.function.Consumer;

/**
 * A mistake that is made on purpose.
 *
 * @param check that is to notice it
 * @param said what the check has to say of it
 */
record Mistake(String name, Overlay overlay, Consumer<Cluster> planted, String check, String said) {

  /** Begins to describe one. */
  static Start in(Overlay overlay, String name) {
    return new Start(overlay, name);
  }

  record Start(Overlay overlay, String name) {

    /** Writes a value, given in YAML, where the pointer is, there or not before. */
    Planted set(String object, String pointer, String yaml) {
      return plant(
          cluster -> write(find(cluster, object), JsonPointer.compile(pointer), Yaml.tree(yaml)));
    }

    Planted remove(String object) {
      return plant(cluster -> cluster.manifests().remove(find(cluster, object)));
    }

    Planted removeField(String object, String pointer) {
      JsonPointer path = JsonPointer.compile(pointer);
      return plant(
          cluster ->
              ((ObjectNode) find(cluster, object).json().at(path.head()))
                  .remove(path.last().getMatchingProperty()));
    }

    Planted plant(Consumer<Cluster> planted) {
      return new Planted(this, planted);
    }
  }

  record Planted(Start start, Consumer<Cluster> planted) {

    Mistake noticedBy(String check, String said) {
      return new Mistake(start.name(), start.overlay(), planted, check, said);
    }
  }

  /** By its kind and its name, or the beginning of it where a hash follows. */
  private static Manifest find(Cluster cluster, String object) {
    return cluster.manifests().stream()
        .filter(each -> each.toString().equals(object))
        .findFirst()
        .or(
            () ->
                cluster.manifests().stream()
                    .filter(each -> each.toString().startsWith(object + "-"))
                    .findFirst())
        .orElseThrow(() -> new IllegalArgumentException("There is no %s".formatted(object)));
  }

  private static void write(Manifest manifest, JsonPointer path, JsonNode value) {
    String last = path.last().getMatchingProperty();
    switch (manifest.json().at(path.head())) {
      case ObjectNode object -> object.set(last, value);
      case ArrayNode list -> list.set(Integer.parseInt(last), value);
      default -> throw new IllegalArgumentException("%s has no %s".formatted(manifest, path));
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
