package io.onceflow.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Map;
import java.util.stream.StreamSupport;

/** A label selector, with matchLabels and matchExpressions. */
record Selector(JsonNode json) {

  /** Of a Service, whose selector is nothing but labels. */
  static Selector ofLabels(JsonNode labels) {
    return new Selector(
        labels.isMissingNode()
            ? labels
            : JsonNodeFactory.instance.objectNode().set("matchLabels", labels));
  }

  boolean matches(Map<String, String> labels) {
    Map<String, String> wanted = Manifest.labels(json.path("matchLabels"));
    return labels.entrySet().containsAll(wanted.entrySet())
        && StreamSupport.stream(json.path("matchExpressions").spliterator(), false)
            .allMatch(expression -> matches(labels, expression));
  }

  private static boolean matches(Map<String, String> labels, JsonNode expression) {
    String value = labels.get(expression.path("key").asText());
    String operator = expression.path("operator").asText();
    boolean isListed =
        StreamSupport.stream(expression.path("values").spliterator(), false)
            .anyMatch(each -> each.asText().equals(value));
    return switch (operator) {
      case "In" -> isListed;
      case "NotIn" -> !isListed;
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      default -> throw new IllegalArgumentException(operator);
    };
  }

  @Override
  public String toString() {
    return json.toString();
  }
}
