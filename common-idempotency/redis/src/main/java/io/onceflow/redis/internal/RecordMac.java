package io.onceflow.redis.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onceflow.core.internal.Fingerprint;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * HMAC-SHA-256 over the fields of a record. A code names the key that made it, {@code <key
 * id>.<base64>}, so that keys can be changed while records of the previous key are still read.
 */
final class RecordMac {

  /** Characters of a key at least: 32 random characters are no weaker than the HMAC's 256 bits. */
  static final int SHORTEST_KEY = 32;

  private static final String ALGORITHM = "HmacSHA256";

  /** The result of a check. */
  enum Verdict {
    VALID,
    /** There is no HMAC. */
    UNSIGNED,
    /** The HMAC names a key that this process does not have. */
    UNKNOWN_KEY,
    /** The HMAC does not fit the record. */
    FORGED;

    String tag() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private final String currentId;
  private final Map<String, SecretKeySpec> keys = new LinkedHashMap<>();

  /**
   * @param current signs, and verifies
   * @param others only verify: the previous key, or the next one
   */
  RecordMac(String current, List<String> others) {
    this.currentId = add(current);
    others.forEach(this::add);
  }

  private String add(String text) {
    if (text.length() < SHORTEST_KEY) {
      throw new IllegalArgumentException(
          "an integrity key has %s characters; it must have at least %s"
              .formatted(text.length(), SHORTEST_KEY));
    }
    String id = HexFormat.of().formatHex(sha256("onceflow-key-id:" + text), 0, 4);
    keys.put(id, new SecretKeySpec(text.getBytes(UTF_8), ALGORITHM));
    return id;
  }

  /**
   * @param parts bytes, or objects whose text is signed
   */
  String sign(Object... parts) {
    byte[] code = code(keys.get(currentId), parts);
    return currentId + "." + Base64.getEncoder().withoutPadding().encodeToString(code);
  }

  Verdict verify(@Nullable String mac, Object... parts) {
    if (mac == null || mac.isEmpty()) {
      return Verdict.UNSIGNED;
    }
    int dot = mac.indexOf('.');
    SecretKeySpec key = dot < 0 ? null : keys.get(mac.substring(0, dot));
    if (key == null) {
      return Verdict.UNKNOWN_KEY;
    }
    byte[] expected = Base64.getEncoder().withoutPadding().encode(code(key, parts));
    byte[] found = mac.substring(dot + 1).getBytes(UTF_8);
    return MessageDigest.isEqual(expected, found) ? Verdict.VALID : Verdict.FORGED;
  }

  /**
   * Each part is preceded by its length, so that different lists of parts differ in their bytes.
   */
  private static byte[] code(SecretKeySpec key, Object... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      for (byte[] part : Arrays.stream(parts).map(RecordMac::bytes).toList()) {
        mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, part.length));
        mac.update(part);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform must have " + ALGORITHM, e);
    }
  }

  private static byte[] bytes(Object part) {
    return part instanceof byte[] bytes ? bytes : part.toString().getBytes(UTF_8);
  }

  private static byte[] sha256(String text) {
    return Fingerprint.sha256().digest(text.getBytes(UTF_8));
  }
}
