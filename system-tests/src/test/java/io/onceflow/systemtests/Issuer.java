package io.onceflow.systemtests;

import io.onceflow.quickstart.token.KeyFiles;
import io.onceflow.quickstart.token.Tokens;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
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
    return operator("olga");
  }

  String operator(String user) {
    return sign(key, user, Set.of(Tokens.OPERATOR), Instant.now());
  }

  /** Signed as it should be, and over for an hour. */
  String expired(String user) {
    return sign(key, user, Set.of(), Instant.now().minus(VALID_FOR.multipliedBy(2)));
  }

  /** Says the right things, under another key. */
  String forged(String user) {
    return sign(Tokens.newKeys().getPrivate(), user, Set.of(Tokens.OPERATOR), Instant.now());
  }

  /** Says the right things with the right signature, but for another issuer's name. */
  String ofAnotherIssuer(String user) {
    String[] parts = sign(key, user, Set.of(Tokens.OPERATOR), Instant.now()).split("\\.");
    String claims = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
    String others = claims.replace(Tokens.ISSUER, "https://issuer.example.com");
    String signed = parts[0] + "." + base64(others.getBytes(StandardCharsets.UTF_8));
    return signed + "." + base64(signature(signed));
  }

  /** Says the right things and declares that it needs no signature. */
  String unsigned(String user) {
    String claims = customer(user).split("\\.")[1];
    byte[] header = "{\"alg\":\"none\",\"typ\":\"JWT\"}".getBytes(StandardCharsets.UTF_8);
    return base64(header) + "." + claims + ".";
  }

  private byte[] signature(String text) {
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(key);
      signature.update(text.getBytes(StandardCharsets.US_ASCII));
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("The key that signs all tokens does not sign this one", e);
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String sign(PrivateKey key, String user, Set<String> roles, Instant now) {
    return Tokens.sign(key, user, roles, now, VALID_FOR);
  }
}
