package io.onceflow.core.internal;

import java.util.HexFormat;

/** The one spelling of a JSON string (RFC 8785 §3.2.2.2): as few escapes as JSON allows. */
final class CanonicalString {

  private static final HexFormat HEX = HexFormat.of();

  private CanonicalString() {}

  /**
   * @param value without quotes, its escapes undone
   * @return with quotes
   * @throws MalformedBody when it holds half a surrogate pair, which no UTF-8 can spell
   */
  static String of(String value) {
    StringBuilder text = new StringBuilder(value.length() + 2).append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (Character.isSurrogate(c)) {
        text.append(c).append(partner(value, i++));
      } else {
        append(text, c);
      }
    }
    return text.append('"').toString();
  }

  private static char partner(String value, int high) {
    int low = high + 1;
    if (low < value.length() && Character.isSurrogatePair(value.charAt(high), value.charAt(low))) {
      return value.charAt(low);
    }
    throw new MalformedBody(
        "a string holds \\u%s alone, half a surrogate pair"
            .formatted(HEX.toHexDigits(value.charAt(high))));
  }

  private static void append(StringBuilder text, char c) {
    switch (c) {
      case '"' -> text.append("\\\"");
      case '\\' -> text.append("\\\\");
      case '\b' -> text.append("\\b");
      case '\t' -> text.append("\\t");
      case '\n' -> text.append("\\n");
      case '\f' -> text.append("\\f");
      case '\r' -> text.append("\\r");
      default -> {
        if (c < ' ') {
          text.append("\\u").append(HEX.toHexDigits(c));
        } else {
          text.append(c);
        }
      }
    }
  }
}
