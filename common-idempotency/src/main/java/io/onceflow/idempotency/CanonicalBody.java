package io.onceflow.idempotency;

import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.util.Locale;
import org.erdtman.jcs.JsonCanonicalizer;
import org.jspecify.annotations.Nullable;

/**
 * The form of a body that is fingerprinted: JSON in its canonical form (RFC 8785), where the order
 * of properties, white space and the spelling of numbers do not matter; anything else byte for
 * byte.
 */
final class CanonicalBody {

  private CanonicalBody() {}

  /**
   * @throws IOException when a JSON body is not well-formed or has a property twice
   */
  static byte[] of(byte[] body, @Nullable MediaType type) throws IOException {
    return body.length > 0 && isJson(type) ? new JsonCanonicalizer(body).getEncodedUTF8() : body;
  }

  private static boolean isJson(@Nullable MediaType type) {
    if (type == null) {
      return false;
    }
    String subtype = type.getSubtype().toLowerCase(Locale.ROOT);
    return subtype.equals("json") || subtype.endsWith("+json");
  }
}
