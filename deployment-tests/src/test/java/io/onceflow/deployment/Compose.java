package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import org.yaml.snakeyaml.Yaml;

/** The docker-compose.yml of this checkout. */
final class Compose {

  private Compose() {}

  /** Merged: what anchors stand for is where Compose sees it. */
  static JsonNode read() {
    Object merged = new Yaml().load(Overlay.read(Overlay.root().resolve("docker-compose.yml")));
    return new YAMLMapper().valueToTree(merged);
  }
}
