package io.onceflow.systemtests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Makes a good value from each schema of an OpenAPI document. */
final class SchemaSamples {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final int DEEPEST = 10;

  private final JsonNode document;

  SchemaSamples(JsonNode document) {
    this.document = document;
  }

  JsonNode of(JsonNode schema) {
    return of(schema, 0);
  }

  private JsonNode of(JsonNode schema, int depth) {
    if (depth > DEEPEST) {
      return NODES.nullNode();
    }
    if (schema.has("$ref")) {
      return of(document.at(schema.get("$ref").asText().substring(1)), depth + 1);
    }
    for (String composed : new String[] {"allOf", "anyOf", "oneOf"}) {
      if (schema.has(composed)) {
        return of(schema.get(composed).get(0), depth + 1);
      }
    }
    for (String given : new String[] {"examples", "enum"}) {
      if (schema.has(given)) {
        return schema.get(given).get(0);
      }
    }
    return byType(schema, depth);
  }

  private JsonNode byType(JsonNode schema, int depth) {
    return switch (type(schema)) {
      case "object" -> object(schema, depth);
      case "array" -> array(schema, depth);
      case "integer", "number" -> NODES.numberNode(schema.path("minimum").asInt(1));
      case "boolean" -> NODES.booleanNode(true);
      default -> NODES.textNode(text(schema));
    };
  }

  /** Of several, such as {@code ["string", "null"]}, the first. */
  private static String type(JsonNode schema) {
    JsonNode type = schema.path("type");
    if (type.isMissingNode()) {
      return schema.has("properties") ? "object" : "string";
    }
    return type.isArray() ? type.get(0).asText() : type.asText();
  }

  private ObjectNode object(JsonNode schema, int depth) {
    ObjectNode object = NODES.objectNode();
    schema
        .path("properties")
        .properties()
        .forEach(property -> object.set(property.getKey(), of(property.getValue(), depth + 1)));
    return object;
  }

  private ArrayNode array(JsonNode schema, int depth) {
    return NODES.arrayNode().add(of(schema.path("items"), depth + 1));
  }

  private static String text(JsonNode schema) {
    return switch (schema.path("format").asText()) {
      case "uuid" -> "0199c3a4-5f10-7c3e-9a51-3b2f6d8e4a01";
      case "date-time" -> "2026-11-21T12:00:00Z";
      default -> "text";
    };
  }
}
