package io.onceflow.systemtests;

import io.onceflow.quickstart.token.KeyFiles;
import io.onceflow.quickstart.token.Tokens;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;

/** Signs tokens with the key that the services trust, and some with which they must not be had. */
public final class Issuer {

  private static final Duration VALID_FOR = Duration.ofHours(1);

  private final KeyFiles keys;
  private final PrivateKey key;

  public Issuer(Path folder) {
    keys = new KeyFiles(folder);
    try {
      keys.create();
      key = keys.readPrivateKey();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The file by which the services know this issuer's tokens. */
  public Path publicKey() {
    return keys.publicKey();
  }

  public String customer(String user) {
    return sign(key, user, Set.of(), Instant.now());
  }

  public String operator() {
    return sign(key, "olga", Set.of(Tokens.OPERATOR), Instant.now());
  }

  /** Signed as it should be, and over for an hour. */
  String expired(String user) {
    return sign(key, user, Set.of(), Instant.now().minus(VALID_FOR.multipliedBy(2)));
  }

  /** Says the right things, under another key. */
  String forged(String user) {
    return sign(Tokens.newKeys().getPrivate(), user, Set.of(Tokens.OPERATOR), Instant.now());
  }

  /** Says the right things and declares that it needs no signature. */
  String unsigned(String user) {
    String claims = customer(user).split("\\.")[1];
    byte[] header = "{\"alg\":\"none\",\"typ\":\"JWT\"}".getBytes(StandardCharsets.UTF_8);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(header) + "." + claims + ".";
  }

  private static String sign(PrivateKey key, String user, Set<String> roles, Instant now) {
    return Tokens.sign(key, user, roles, now, VALID_FOR);
  }
}
