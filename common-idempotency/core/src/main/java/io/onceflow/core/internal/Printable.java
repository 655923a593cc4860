package io.onceflow.core.internal;

import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Text from outside, before it is shown in a line of a log, in a reason or in a history: a line
 * break would forge the next line, an escape sequence would steer the terminal, a change of
 * direction would show another text than there is.
 */
public final class Printable {

  /**
   * Text without a character that cannot be seen, for {@code @Pattern}, too: control and format
   * characters, separators of lines, halves of surrogate pairs, what is not assigned, what Unicode
   * lets be ignored (joiners, fillers, selectors of a variation: with one of them behind it a name
   * is another name that looks the same), and the Braille pattern without a dot.
   */
  public static final String VISIBLE =
      "[^\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}\\p{Cn}"
          + "\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u2800\\u3164\\uFE00-\\uFE0F\\uFFA0"
          + "\\uDB40\\uDC00-\\uDB43\\uDFFF]*";

  private static final Predicate<String> IS_VISIBLE = Pattern.compile(VISIBLE).asMatchPredicate();

  private Printable() {}

  /** True when nothing of it needs to be escaped. */
  public static boolean is(String text) {
    return isPlainAscii(text) || IS_VISIBLE.test(text);
  }

  /** Nearly every text, and each line of a log is asked. */
  private static boolean isPlainAscii(String text) {
    return text.chars().allMatch(character -> character >= ' ' && character <= '~');
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
        String alone = Character.toString(character);
        if (is(alone)) {
          escaped.append(alone);
        } else {
          escaped.append(String.format(Locale.ROOT, "\\u%04x", character));
        }
      }
    }
  }
}
