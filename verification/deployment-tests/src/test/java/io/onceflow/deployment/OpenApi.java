package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Holds a value against the schema of a resource definition, as Kubernetes does with strict
 * validation: a field that is not named is an error. A word of a schema that this does not know is
 * an error as well, so nothing is passed over.
 */
final class OpenApi {

  /** What says something about merging, and nothing about the value itself. */
  private static final Set<String> WITHOUT_MEANING_HERE =
      Set.of(
          "properties",
          "additionalProperties",
          "format",
          "x-kubernetes-int-or-string",
          "x-kubernetes-list-map-keys",
          "x-kubernetes-list-type",
          "x-kubernetes-map-type");

  private final List<String> problems = new ArrayList<>();

  private OpenApi() {}

  static List<String> problems(JsonNode schema, JsonNode value) {
    OpenApi reading = new OpenApi();
    reading.check(schema, value, "");
    return reading.problems;
  }

  private void check(JsonNode schema, JsonNode value, String at) {
    for (Map.Entry<String, JsonNode> rule : schema.properties()) {
      apply(rule.getKey(), rule.getValue(), value, at);
    }
    if (value.isObject() && (schema.has("properties") || schema.has("additionalProperties"))) {
      value.properties().forEach(field -> checkField(schema, field.getKey(), field.getValue(), at));
    }
  }

  private void checkField(JsonNode schema, String name, JsonNode value, String at) {
    JsonNode named = schema.path("properties").path(name);
    JsonNode others = schema.path("additionalProperties");
    if (!named.isMissingNode()) {
      check(named, value, at + "/" + name);
    } else if (others.isObject()) {
      check(others, value, at + "/" + name);
    } else if (!others.asBoolean(false)) {
      problems.add("%s/%s is not a field".formatted(at, name));
    }
  }

  private void apply(String word, JsonNode rule, JsonNode value, String at) {
    if (WITHOUT_MEANING_HERE.contains(word)) {
      return;
    }
    boolean isMet =
        switch (word) {
          case "type" -> isOfType(rule.asText(), value);
          case "enum" -> contains(rule, value);
          case "required" -> hasAll(rule, value, at);
          case "pattern" ->
              !value.isTextual() || Pattern.compile(rule.asText()).matcher(value.asText()).find();
          case "minimum" -> !value.isNumber() || value.asLong() >= rule.asLong();
          case "maximum" -> !value.isNumber() || value.asLong() <= rule.asLong();
          case "minLength" -> !value.isTextual() || value.asText().length() >= rule.asInt();
          case "maxLength" -> !value.isTextual() || value.asText().length() <= rule.asInt();
          case "minItems", "minProperties" -> value.size() >= rule.asInt();
          case "maxItems", "maxProperties" -> value.size() <= rule.asInt();
          case "items" -> checkItems(rule, value, at);
          case "anyOf" -> countMet(rule, value) > 0;
          case "oneOf" -> countMet(rule, value) == 1;
          case "not" -> !problems(rule, value).isEmpty();
          default -> throw new IllegalArgumentException("A schema says %s".formatted(word));
        };
    if (!isMet) {
      problems.add("%s is %s, which breaks %s %s".formatted(at, value, word, rule));
    }
  }

  private static boolean isOfType(String type, JsonNode value) {
    return switch (type) {
      case "string" -> value.isTextual();
      case "integer" -> value.isIntegralNumber();
      case "number" -> value.isNumber();
      case "boolean" -> value.isBoolean();
      case "array" -> value.isArray();
      case "object" -> value.isObject();
      default -> throw new IllegalArgumentException(type);
    };
  }

  private static boolean contains(JsonNode values, JsonNode value) {
    for (JsonNode each : values) {
      if (each.equals(value)) {
        return true;
      }
    }
    return false;
  }

  private boolean hasAll(JsonNode names, JsonNode value, String at) {
    for (JsonNode name : names) {
      if (value.isObject() && !value.has(name.asText())) {
        problems.add("%s/%s is required".formatted(at, name.asText()));
      }
    }
    return true;
  }

  private boolean checkItems(JsonNode schema, JsonNode values, String at) {
    for (int i = 0; i < values.size(); i++) {
      check(schema, values.path(i), at + "/" + i);
    }
    return true;
  }

  private static long countMet(JsonNode schemas, JsonNode value) {
    long met = 0;
    for (JsonNode schema : schemas) {
      met += problems(schema, value).isEmpty() ? 1 : 0;
    }
    return met;
  }
}
