package io.onceflow.benchmarks.ceiling;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads the detail of a logged statement: {@code Parameters: $1 = 'it''s', $2 = NULL}. */
final class LoggedParameters {

  private static final String TITLE = "parameters: ";
  private static final char QUOTE = '\'';

  private final String text;
  private int at = TITLE.length();

  private LoggedParameters(String text) {
    this.text = text;
  }

  /**
   * The values in their order.
   *
   * @param detail empty for a statement without parameters
   */
  static List<@Nullable String> parse(String detail) {
    if (!detail.toLowerCase(Locale.ROOT).startsWith(TITLE)) {
      return List.of();
    }
    LoggedParameters reader = new LoggedParameters(detail);
    List<@Nullable String> values = new ArrayList<>();
    while (reader.at < detail.length()) {
      reader.at = detail.indexOf(" = ", reader.at) + " = ".length();
      values.add(reader.value());
      reader.at += ", ".length();
    }
    return values;
  }

  private @Nullable String value() {
    if (text.startsWith("NULL", at)) {
      at += "NULL".length();
      return null;
    }
    StringBuilder value = new StringBuilder();
    at++;
    while (text.charAt(at) != QUOTE || isQuote(at + 1)) {
      value.append(text.charAt(at));
      at += text.charAt(at) == QUOTE ? 2 : 1;
    }
    at++;
    return value.toString();
  }

  private boolean isQuote(int position) {
    return position < text.length() && text.charAt(position) == QUOTE;
  }
}
