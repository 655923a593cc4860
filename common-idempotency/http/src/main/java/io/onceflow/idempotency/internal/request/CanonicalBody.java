package io.onceflow.idempotency.internal.request;

import io.onceflow.core.internal.CanonicalJson;
import io.onceflow.core.internal.MalformedBody;
import io.onceflow.idempotency.internal.store.StoredResponse;
import jakarta.ws.rs.core.MediaType;
import org.jspecify.annotations.Nullable;

/**
 * The form of a body that is fingerprinted: JSON in its canonical form, so that neither the order
 * of its properties nor white space nor the spelling of a number matters; anything else byte for
 * byte.
 */
final class CanonicalBody {

  private CanonicalBody() {}

  /**
   * @param type the body's media type; null without one
   * @throws MalformedBody if its type is JSON and it is not well-formed, or its charset is not
   *     UTF-8
   */
  static byte[] of(byte[] body, @Nullable MediaType type) {
    if (body.length == 0 || type == null || !StoredResponse.isJson(type)) {
      return body;
    }
    requireUtf8(type);
    return CanonicalJson.of(body);
  }

  /**
   * JSON is always UTF-8 and has no charset parameter. With another charset the same bytes would be
   * other characters, and the comparison would be wrong.
   */
  private static void requireUtf8(MediaType type) {
    String charset = type.getParameters().getOrDefault(MediaType.CHARSET_PARAMETER, "utf-8");
    if (!charset.equalsIgnoreCase("utf-8")) {
      throw new MalformedBody(
          "its Content-Type says charset=%s, but JSON is UTF-8 (RFC 8259 §8.1)".formatted(charset));
    }
  }
}
