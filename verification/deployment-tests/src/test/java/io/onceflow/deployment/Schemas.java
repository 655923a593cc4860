package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Every object is one that the published schemas know, field by field. */
final class Schemas implements Check {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  @Override
  public List<String> problems(Cluster cluster) {
    return cluster.manifests().stream()
        .flatMap(
            manifest -> problems(manifest).map(problem -> "%s: %s".formatted(manifest, problem)))
        .toList();
  }

  private static Stream<String> problems(Manifest manifest) {
    if (CoreSchemas.knows(manifest)) {
      return CoreSchemas.problem(manifest).stream();
    }
    Optional<JsonNode> schema = custom(manifest);
    if (schema.isEmpty()) {
      return Stream.of("no schema of %s is known".formatted(manifest.apiVersion()));
    }
    return Stream.concat(
        CoreSchemas.problemOfMetadata(manifest).stream(),
        OpenApi.problems(schema.get(), manifest.json()).stream());
  }

  /** By group, kind and version, as the collection that they come from names them. */
  private static Optional<JsonNode> custom(Manifest manifest) {
    String[] version = manifest.apiVersion().split("/");
    String kind = manifest.kind().toLowerCase(Locale.ROOT);
    String file = "/schemas/%s_%s_%s.json".formatted(version[0], kind, version[version.length - 1]);
    try (InputStream read = Schemas.class.getResourceAsStream(file)) {
      return read == null ? Optional.empty() : Optional.of(MAPPER.readTree(read));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
