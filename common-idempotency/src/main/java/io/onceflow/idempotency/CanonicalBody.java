package io.onceflow.idempotency;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import jakarta.ws.rs.core.MediaType;
import java.io.EOFException;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The form of a body that is fingerprinted: JSON with its properties in order, without white space,
 * and with each number spelled in one way; anything else byte for byte.
 *
 * <p>Not RFC 8785: that reads numbers as doubles, so that two account numbers of 17 digits would be
 * one. Here two bodies are the same only when all their values are, however long.
 */
final class CanonicalBody {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
          .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
          // Half a surrogate pair has no UTF-8; as an escape it stays different from every other.
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .build();

  private CanonicalBody() {}

  /**
   * @throws IOException when a JSON body is not well-formed, has a property twice, or is nested or
   *     long in digits beyond all reason
   */
  static byte[] of(byte[] body, @Nullable MediaType type) throws IOException {
    return body.length > 0 && isJson(type) ? canonical(body) : body;
  }

  private static byte[] canonical(byte[] body) throws IOException {
    JsonNode tree = JSON.readTree(body);
    if (tree.isMissingNode()) {
      throw new EOFException("there is nothing but white space");
    }
    return JSON.writeValueAsBytes(tree);
  }

  private static boolean isJson(@Nullable MediaType type) {
    if (type == null) {
      return false;
    }
    String subtype = type.getSubtype().toLowerCase(Locale.ROOT);
    return subtype.equals("json") || subtype.endsWith("+json");
  }
}
