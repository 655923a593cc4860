package io.onceflow.redis.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** The Lua scripts, each of which Redis runs atomically. */
enum RedisScript {
  CLAIM,
  RENEW,
  KEEP,
  RELEASE,
  ACCEPT,
  TAKE_OVER,
  FIND,
  LOOK,
  MARK_ON,
  UNMARK,
  CACHE;

  private final String text;
  private final String sha1;

  RedisScript() {
    String file = name().toLowerCase(Locale.ROOT).replace('_', '-') + ".lua";
    try (InputStream script = RedisScript.class.getResourceAsStream(file)) {
      byte[] bytes = script.readAllBytes();
      text = new String(bytes, StandardCharsets.UTF_8);
      sha1 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform must have SHA-1", e);
    }
  }

  String text() {
    return text;
  }

  /** The digest by which Redis finds a script that it has run before. */
  String sha1() {
    return sha1;
  }
}
