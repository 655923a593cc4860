package io.onceflow.idempotency.internal.request;

import io.onceflow.core.internal.CanonicalJson;
import io.onceflow.core.internal.MalformedBody;
import jakarta.ws.rs.core.MediaType;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The form of a body that is fingerprinted: JSON in its canonical form, so that neither the order
 * of its properties nor white space nor the spelling of a number matters; anything else byte for
 * byte.
 */
final class CanonicalBody {

  private CanonicalBody() {}

  /**
   * @param type what the body calls itself; null when it says nothing
   * @throws MalformedBody when it calls itself JSON and is not, or names a charset other than UTF-8
   */
  static byte[] of(byte[] body, @Nullable MediaType type) {
    if (body.length == 0 || type == null || !isJson(type)) {
      return body;
    }
    requireUtf8(type);
    return CanonicalJson.of(body);
  }

  private static boolean isJson(MediaType type) {
    String subtype = type.getSubtype().toLowerCase(Locale.ROOT);
    return subtype.equals("json") || subtype.endsWith("+json");
  }

  /**
   * JSON is UTF-8 and has no such parameter. A client that names another charset means other
   * characters by the same bytes, and would be compared by the wrong ones.
   */
  private static void requireUtf8(MediaType type) {
    String charset = type.getParameters().getOrDefault(MediaType.CHARSET_PARAMETER, "utf-8");
    if (!charset.equalsIgnoreCase("utf-8")) {
      throw new MalformedBody(
          "its Content-Type says charset=%s, but JSON is UTF-8 (RFC 8259 §8.1)".formatted(charset));
    }
  }
}
