package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/**
 * One object's word for another.
 *
 * @param from whoever says it
 * @param keys that the other has to have; none for most kinds
 */
record Reference(Manifest from, String kind, String name, Set<String> keys) {

  static Reference to(Manifest from, String kind, JsonNode name, String... keys) {
    return new Reference(from, kind, name.asText(), Set.of(keys));
  }
}
