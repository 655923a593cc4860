package io.onceflow.console.internal.signin;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Whom a bearer token says that it is from. This is read before the token is verified, and only to
 * choose who verifies it.
 */
final class BearerIssuer {

  private static final String SCHEME = "bearer ";

  private BearerIssuer() {}

  /** Empty if there is no token, or none that can be read. */
  static String of(@Nullable String authorization) {
    if (authorization == null
        || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return "";
    }
    String[] parts = authorization.substring(SCHEME.length()).strip().split("\\.", -1);
    return parts.length == 3 ? issuerIn(parts[1]) : "";
  }

  private static String issuerIn(String claims) {
    try {
      byte[] json = Base64.getUrlDecoder().decode(claims);
      Object issuer = new JsonObject(new String(json, StandardCharsets.UTF_8)).getValue("iss");
      return issuer instanceof String name ? name : "";
    } catch (IllegalArgumentException | DecodeException e) {
      return "";
    }
  }
}
