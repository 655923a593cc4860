package io.onceflow.idempotency;

/**
 * The client's token for one operation, the <em>root key</em> of everything that follows from it.
 *
 * <p>The header is a structured-field String ({@code "5f0c…"}, RFC 8941 §3.3.3) as
 * draft-ietf-httpapi-idempotency-key-header asks; the bare form ({@code 5f0c…}) that most clients
 * send means the same key.
 *
 * @param value 1 to {@value #MAX_LENGTH} visible ASCII characters, without quotes
 */
public record IdempotencyKey(String value) {

  /** Long enough for any UUID, hash or prefixed id; short enough for an index entry. */
  public static final int MAX_LENGTH = 255;

  /** The header's value in both forms, for documents; a quoted key may have escapes besides. */
  static final String PATTERN =
      "^(?:\"[!#-\\[\\]-~]{1,%1$d}\"|[!#-~][!-~]{0,%2$d})$".formatted(MAX_LENGTH, MAX_LENGTH - 1);

  /**
   * @throws MalformedIdempotencyKey when {@code value} is empty, too long, or holds anything but
   *     visible ASCII
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
      if (!isVisibleAscii(value.charAt(i))) {
        throw new MalformedIdempotencyKey(
            "character %d (U+%04X) is not visible ASCII".formatted(i + 1, (int) value.charAt(i)));
      }
    }
  }

  /**
   * Reads the header's value in either form (RFC 8941 §4.2.5, or bare).
   *
   * <p>The quoted form ends at its closing quote and may escape only {@code "} and {@code \}.
   * Parameters are refused, since the draft defines none, and so are lists: two keys in one request
   * mean that somebody is mistaken, and nobody can say about which. The bare form is taken as it
   * is.
   *
   * @throws MalformedIdempotencyKey when it is neither form
   */
  public static IdempotencyKey parse(String header) {
    String text = withoutOuterSpace(header);
    return new IdempotencyKey(text.startsWith("\"") ? unquote(text) : text);
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
        requireNothingAfter(text, i);
        return key.toString();
      }
      key.append(c == '\\' ? escaped(text, ++i) : c);
    }
    throw new MalformedIdempotencyKey("its closing quote is missing");
  }

  private static void requireNothingAfter(String text, int closingQuote) {
    String rest = withoutOuterSpace(text.substring(closingQuote + 1));
    if (rest.startsWith(",")) {
      throw new MalformedIdempotencyKey("it is a list; a request has one key");
    }
    if (rest.startsWith(";")) {
      throw new MalformedIdempotencyKey("it has a parameter; a key has none");
    }
    if (!rest.isEmpty()) {
      throw new MalformedIdempotencyKey("something follows its closing quote");
    }
  }

  private static char escaped(String text, int i) {
    if (i < text.length() && (text.charAt(i) == '"' || text.charAt(i) == '\\')) {
      return text.charAt(i);
    }
    throw new MalformedIdempotencyKey("a backslash may escape only a quote or a backslash");
  }

  private static boolean isVisibleAscii(char c) {
    return c > ' ' && c < 0x7f;
  }

  @Override
  public String toString() {
    return value;
  }
}
