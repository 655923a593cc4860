package io.onceflow.idempotency.internal.request;

import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.MalformedBody;
import jakarta.ws.rs.core.MediaType;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Two HTTP requests are the same if method, path, query and the whole body are.
 *
 * <p>Path and query are normalized as in RFC 3986 §6.2.2: {@code %7E} equals {@code ~}, {@code %c3}
 * equals {@code %C3}. Nothing else is: another order of query parameters, {@code +} instead of
 * {@code %20} and a trailing slash make another request. A client that repeats a request repeats
 * those as well.
 *
 * <p>Host and headers are not compared. {@code Content-Type} only determines whether the body is
 * compared as JSON.
 */
public final class RequestFingerprint {

  /** Unreserved characters besides letters and digits. */
  private static final String UNRESERVED = "-._~";

  private RequestFingerprint() {}

  /**
   * @throws MalformedBody if the type of the body is JSON and the body is not
   */
  public static Fingerprint of(String method, URI uri, byte[] body, @Nullable MediaType type) {
    return Fingerprint.of(
        utf8(method),
        utf8(normal(uri.getRawPath())),
        utf8(normal(uri.getRawQuery())),
        CanonicalBody.of(body, type));
  }

  /** Decodes unreserved characters, and writes other escapes in capitals. */
  public static String normal(@Nullable String raw) {
    if (raw == null || raw.indexOf('%') < 0) {
      return raw == null ? "" : raw;
    }
    StringBuilder normal = new StringBuilder(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      int escaped = raw.charAt(i) == '%' ? octet(raw, i + 1) : -1;
      if (escaped < 0) {
        normal.append(raw.charAt(i));
        continue;
      }
      if (isUnreserved(escaped)) {
        normal.append((char) escaped);
      } else {
        normal.append("%%%02X".formatted(escaped));
      }
      i += 2;
    }
    return normal.toString();
  }

  /** The octet of two hex digits; negative if they are none. */
  private static int octet(String raw, int at) {
    if (at + 1 >= raw.length()) {
      return -1;
    }
    boolean isEscape =
        HexFormat.isHexDigit(raw.charAt(at)) && HexFormat.isHexDigit(raw.charAt(at + 1));
    return isEscape ? HexFormat.fromHexDigits(raw, at, at + 2) : -1;
  }

  private static boolean isUnreserved(int octet) {
    return octet < 0x80 && (Character.isLetterOrDigit(octet) || UNRESERVED.indexOf(octet) >= 0);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
