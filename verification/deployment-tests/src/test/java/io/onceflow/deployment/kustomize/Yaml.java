package io.onceflow.deployment.kustomize;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads YAML. A key that stands twice in the same place is an error, as it is for Kubernetes. */
public final class Yaml {

  private static final ObjectMapper MAPPER =
      new ObjectMapper(new YAMLFactory()).enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

  private Yaml() {}

  /** All documents of a file that are not empty. */
  public static List<ObjectNode> documents(Path file) {
    try {
      return documents(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException("%s cannot be read".formatted(file), e);
    }
  }

  /** All documents of a text that are not empty. */
  public static List<ObjectNode> documents(String text) {
    List<ObjectNode> documents = new ArrayList<>();
    try (MappingIterator<JsonNode> read = MAPPER.readerFor(JsonNode.class).readValues(text)) {
      while (read.hasNext()) {
        JsonNode document = read.next();
        if (!document.isNull() && !document.isMissingNode()) {
          documents.add((ObjectNode) document);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return documents;
  }

  /** Anything at all, such as the operations of a patch. */
  public static JsonNode tree(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
