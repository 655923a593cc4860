package io.onceflow.core.internal;

import java.util.BitSet;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Text from outside, before it is shown in a line of a log, in a reason or in a history: a line
 * break would forge the next line, an escape sequence would steer the terminal, a change of
 * direction would show another text than there is.
 */
public final class Printable {

  private static final BitSet UNSEEN = new BitSet();

  static {
    UNSEEN.set(Character.CONTROL);
    // Zero-width characters, and those that reverse the direction of what follows.
    UNSEEN.set(Character.FORMAT);
    UNSEEN.set(Character.LINE_SEPARATOR);
    UNSEEN.set(Character.PARAGRAPH_SEPARATOR);
    UNSEEN.set(Character.SURROGATE);
    UNSEEN.set(Character.UNASSIGNED);
  }

  private Printable() {}

  /** True when nothing of it needs to be escaped. */
  public static boolean is(String text) {
    return text.codePoints().allMatch(Printable::is);
  }

  private static boolean is(int character) {
    return !UNSEEN.get(Character.getType(character));
  }

  /**
   * The text with {@code \\n}, {@code \\r}, {@code \\t} or {@code \\u…} in the place of what cannot
   * be printed; the same text where all of it can.
   */
  public static @Nullable String escape(@Nullable String text) {
    if (text == null || is(text)) {
      return text;
    }
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    text.codePoints().forEach(character -> append(escaped, character));
    return escaped.toString();
  }

  private static void append(StringBuilder escaped, int character) {
    switch (character) {
      case '\n' -> escaped.append("\\n");
      case '\r' -> escaped.append("\\r");
      case '\t' -> escaped.append("\\t");
      default -> {
        if (is(character)) {
          escaped.appendCodePoint(character);
        } else {
          escaped.append(String.format(Locale.ROOT, "\\u%04x", character));
        }
      }
    }
  }
}
