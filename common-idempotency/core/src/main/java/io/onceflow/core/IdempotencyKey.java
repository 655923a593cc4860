package io.onceflow.core;

import io.onceflow.core.internal.MalformedIdempotencyKey;
import java.util.regex.Pattern;

/**
 * The client's token for one operation, the <em>root key</em> of everything that follows from it.
 *
 * <p>The header is a structured-field String ({@code "5f0c…"}, RFC 8941 §3.3.3) as
 * draft-ietf-httpapi-idempotency-key-header asks; the bare form ({@code 5f0c…}) that most clients
 * send means the same key.
 *
 * @param value 1 to {@value #MAX_LENGTH} printable ASCII characters, spaces included, without
 *     quotes
 */
public record IdempotencyKey(String value) {

  /** Long enough for any UUID, hash or prefixed id; short enough for an index entry. */
  public static final int MAX_LENGTH = 255;

  /** The header's value in both forms, for documents; a quoted key may have escapes besides. */
  public static final String PATTERN =
      "^(?:\"[ !#-\\[\\]-~]{1,%1$s}\"|[!#-~](?:[ -~]{0,%2$s}[!-~])?)$"
          .formatted(MAX_LENGTH, MAX_LENGTH - 2);

  /**
   * Parameters (RFC 9651 §3.1.2): each a name, alone or with a String, or with an item that has no
   * quotes.
   */
  private static final Pattern PARAMETERS =
      Pattern.compile(
          "(?:; *+[a-z*][a-z0-9_.*-]*+(?:=(?:\"(?:[ !#-\\[\\]-~]|\\\\[\"\\\\])*+\"|[!#-+./-:<-~-]++))?+)*+");

  /**
   * @throws MalformedIdempotencyKey when {@code value} is empty, too long, or holds anything but
   *     printable ASCII
   */
  public IdempotencyKey {
    if (value.isEmpty()) {
      throw new MalformedIdempotencyKey("it is empty");
    }
    if (value.length() > MAX_LENGTH) {
      throw new MalformedIdempotencyKey(
          "it has " + value.length() + " characters, at most " + MAX_LENGTH + " are allowed");
    }
    for (int i = 0; i < value.length(); i++) {
      if (!isPrintableAscii(value.charAt(i))) {
        throw new MalformedIdempotencyKey(
            "character %s (U+%04X) is not printable ASCII".formatted(i + 1, (int) value.charAt(i)));
      }
    }
  }

  /**
   * Reads the header's value in either form (RFC 8941 §4.2.5, or bare).
   *
   * <p>The quoted form ends at its closing quote and may escape only {@code "} and {@code \}.
   * Parameters after it are ignored: the draft defines none. The bare form is taken as it is. Lists
   * are refused, also as a proxy makes them of two header lines, with a comma and a space: a
   * request has one key.
   *
   * @throws MalformedIdempotencyKey when it is neither form
   */
  public static IdempotencyKey parse(String header) {
    String text = withoutOuterSpace(header);
    if (text.startsWith("\"")) {
      return new IdempotencyKey(unquote(text));
    }
    if (text.contains(", ")) {
      throw list();
    }
    return new IdempotencyKey(text);
  }

  /** Of what one may call space, HTTP lets only these two stand around a value. */
  private static String withoutOuterSpace(String header) {
    int from = 0;
    int to = header.length();
    while (from < to && isSpace(header.charAt(from))) {
      from++;
    }
    while (from < to && isSpace(header.charAt(to - 1))) {
      to--;
    }
    return header.substring(from, to);
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t';
  }

  private static String unquote(String text) {
    StringBuilder key = new StringBuilder(text.length());
    for (int i = 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        requireOnlyParametersAfter(text, i);
        return key.toString();
      }
      key.append(c == '\\' ? escaped(text, ++i) : c);
    }
    throw new MalformedIdempotencyKey("its closing quote is missing");
  }

  private static void requireOnlyParametersAfter(String text, int closingQuote) {
    String rest = withoutOuterSpace(text.substring(closingQuote + 1));
    if (rest.startsWith(",")) {
      throw list();
    }
    if (!rest.isEmpty() && !PARAMETERS.matcher(text.substring(closingQuote + 1)).matches()) {
      throw new MalformedIdempotencyKey("something follows its closing quote");
    }
  }

  private static MalformedIdempotencyKey list() {
    return new MalformedIdempotencyKey("it is a list; a request has one key");
  }

  private static char escaped(String text, int i) {
    if (i < text.length() && (text.charAt(i) == '"' || text.charAt(i) == '\\')) {
      return text.charAt(i);
    }
    throw new MalformedIdempotencyKey("a backslash may escape only a quote or a backslash");
  }

  private static boolean isPrintableAscii(char c) {
    return c >= ' ' && c < 0x7f;
  }

  @Override
  public String toString() {
    return value;
  }
}
