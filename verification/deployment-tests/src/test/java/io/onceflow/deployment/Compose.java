package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import org.yaml.snakeyaml.Yaml;

/** The files of Docker Compose of this checkout. */
final class Compose {

  /** What the image reads more options of the JVM from. */
  static final String JAVA_OPTIONS = "JDK_JAVA_OPTIONS";

  private static final String SMALL = "deploy/compose/small.yml";

  private Compose() {}

  /** Merged: what anchors stand for is where Compose sees it. */
  static JsonNode read() {
    return read("docker-compose.yml");
  }

  /** The file that is given in addition for services of little memory. */
  static JsonNode readSmall() {
    return read(SMALL);
  }

  /**
   * The memory that a service may use with options of the JVM, in megabytes; 0 if Compose does not
   * run it with these.
   *
   * @param options in its environment; empty for none
   */
  static int megabytes(String service, String options) {
    for (JsonNode file : new JsonNode[] {read(), readSmall()}) {
      JsonNode definition = file.at("/services/" + service);
      if (definition.at("/environment/" + JAVA_OPTIONS).asText().equals(options)) {
        return Integer.parseInt(definition.path("mem_limit").asText().replaceFirst("m$", ""));
      }
    }
    return 0;
  }

  /** Any of them, by its path in this checkout. */
  static JsonNode read(String file) {
    // What replaces instead of merging makes no difference to what is in the file.
    String text = Overlay.read(Overlay.root().resolve(file)).replace(" !override", "");
    Object merged = new Yaml().load(text);
    return new YAMLMapper().valueToTree(merged);
  }
}
