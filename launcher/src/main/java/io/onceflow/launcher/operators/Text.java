package io.onceflow.launcher.operators;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Values of the API as text for a terminal. */
final class Text {

  private Text() {}

  /**
   * A member of an object: nothing for null or absent, the members of arrays and objects separated
   * by commas.
   */
  static String of(JsonNode object, String member) {
    return of(object.path(member));
  }

  private static String of(JsonNode value) {
    if (value.isMissingNode() || value.isNull()) {
      return "";
    }
    if (value.isArray()) {
      List<String> each = new ArrayList<>();
      value.forEach(it -> each.add(of(it)));
      return String.join(", ", each);
    }
    if (value.isObject()) {
      List<String> each = new ArrayList<>();
      value.properties().forEach(it -> each.add(it.getKey() + "=" + of(it.getValue())));
      return String.join(", ", each);
    }
    return plain(value.asText());
  }

  /** Without what would steer the terminal: texts of messages and customers are not trusted. */
  static String plain(String text) {
    return text.replaceAll("\\p{Cntrl}+", " ");
  }
}
