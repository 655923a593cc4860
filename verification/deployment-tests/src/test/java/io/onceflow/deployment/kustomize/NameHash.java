package io.onceflow.deployment.kustomize;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** The end of a generated object's name: ten letters of the SHA-256 of what it holds. */
final class NameHash {

  private static final int LENGTH = 10;

  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

  private NameHash() {}

  static String of(Item item) {
    Map<String, Object> hashed = new TreeMap<>();
    hashed.put("kind", item.kind());
    // Kustomize hashes before there is a name to be found.
    hashed.put("name", "");
    hashed.put("data", JSON.convertValue(item.node().path("data"), TreeMap.class));
    if (item.kind().equals("Secret")) {
      hashed.put("type", item.node().path("type").asText());
    }
    return spell(sha256(asGoWouldWrite(hashed)));
  }

  /** Go's encoder escapes what could end a script in HTML. */
  private static String asGoWouldWrite(Map<String, Object> hashed) {
    try {
      return JSON.writeValueAsString(hashed)
          .replace("&", "\\u0026")
          .replace("<", "\\u003c")
          .replace(">", "\\u003e");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String sha256(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Without vowels, and without digits that look like them, so that no hash spells a word. */
  private static String spell(String hex) {
    return hex.substring(0, LENGTH)
        .replace('0', 'g')
        .replace('1', 'h')
        .replace('3', 'k')
        .replace('a', 'm')
        .replace('e', 't');
  }
}
