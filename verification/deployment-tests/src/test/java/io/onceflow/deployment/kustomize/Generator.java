package io.onceflow.deployment.kustomize;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;

/** Makes ConfigMaps and Secrets of literals and files. */
record Generator(String kind, Path folder) {

  /** Adds to the objects that there are, or merges into the one of the same name. */
  void generate(JsonNode entry, List<Item> items) {
    Keys.only(entry, kind + " generator", "name", "behavior", "literals", "files");
    String name = entry.path("name").asText();
    ObjectNode data = data(entry);
    switch (entry.path("behavior").asText("create")) {
      case "create" -> items.add(new Item(object(name, data), true));
      case "merge" -> find(name, items).node().withObjectProperty("data").setAll(data);
      default -> throw new UnsupportedOperationException(entry.path("behavior").asText());
    }
  }

  private ObjectNode data(JsonNode entry) {
    ObjectNode data = JsonNodeFactory.instance.objectNode();
    for (JsonNode literal : entry.path("literals")) {
      String[] pair = literal.asText().split("=", 2);
      data.put(pair[0], encode(pair[1]));
    }
    for (JsonNode file : entry.path("files")) {
      data.put(file.asText(), encode(read(folder.resolve(file.asText()))));
    }
    return data;
  }

  private ObjectNode object(String name, ObjectNode data) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", "v1").put("kind", kind);
    object.putObject("metadata").put("name", name);
    if (isSecret()) {
      object.put("type", "Opaque");
    }
    object.set("data", data);
    return object;
  }

  private Item find(String name, List<Item> items) {
    return items.stream()
        .filter(each -> each.isGenerated() && each.kind().equals(kind))
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no %s %s to merge".formatted(kind, name)));
  }

  private String encode(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    return isSecret() ? Base64.getEncoder().encodeToString(bytes) : value;
  }

  private boolean isSecret() {
    return kind.equals("Secret");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
