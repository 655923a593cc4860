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
   * Reads the header's value in either form. The quoted form ends at its closing quote and may
   * escape only {@code "} and {@code \}; parameters are refused, since the draft defines none.
   *
   * @throws MalformedIdempotencyKey when it is neither form
   */
  public static IdempotencyKey parse(String header) {
    String text = header.strip();
    return new IdempotencyKey(text.startsWith("\"") ? unquote(text) : text);
  }

  private static String unquote(String text) {
    StringBuilder key = new StringBuilder(text.length());
    for (int i = 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        if (i + 1 < text.length()) {
          throw new MalformedIdempotencyKey("something follows its closing quote");
        }
        return key.toString();
      }
      key.append(c == '\\' ? escaped(text, ++i) : c);
    }
    throw new MalformedIdempotencyKey("its closing quote is missing");
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
