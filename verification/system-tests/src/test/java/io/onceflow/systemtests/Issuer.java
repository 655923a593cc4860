package io.onceflow.systemtests;

import io.onceflow.launcher.token.KeyFiles;
import io.onceflow.launcher.token.Tokens;
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
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Signs tokens with the key that the services trust, and some with which they must not be had. */
public final class Issuer {

  private static final Duration VALID_FOR = Duration.ofHours(1);

  /**
   * How long a token is handed out again, as a client keeps its own. Where nothing optimizes it, as
   * in the tests' JVMs, to sign one takes longer than most requests.
   */
  private static final Duration KEPT_FOR = Duration.ofMinutes(10);

  private final KeyFiles keys;
  private final PrivateKey key;
  private final Map<String, Token> tokens = new ConcurrentHashMap<>();

  private record Token(String text, Instant signedAt) {

    boolean isKept(Instant now) {
      return signedAt.plus(KEPT_FOR).isAfter(now);
    }
  }

  /** A key that the services do not trust; made when it is first used, since that takes long. */
  private static final class AnotherKey {

    static final PrivateKey KEY = Tokens.newKeys().getPrivate();
  }

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
    return token(user, Set.of());
  }

  public String operator() {
    return operator("olga");
  }

  String operator(String user) {
    return token(user, Set.of(Tokens.OPERATOR));
  }

  /** Somebody who sees sagas, without personal data, and may not act on them. */
  String viewer(String user) {
    return token(user, Set.of("viewer"));
  }

  private String token(String user, Set<String> roles) {
    Instant now = Instant.now();
    return tokens
        .compute(
            user + roles,
            (same, kept) ->
                kept != null && kept.isKept(now)
                    ? kept
                    : new Token(sign(key, user, roles, now), now))
        .text();
  }

  /** Signed as it should be, and over for an hour. */
  String expired(String user) {
    return sign(key, user, Set.of(), Instant.now().minus(VALID_FOR.multipliedBy(2)));
  }

  /** Says the right things, under another key. */
  String forged(String user) {
    return sign(AnotherKey.KEY, user, Set.of(Tokens.OPERATOR), Instant.now());
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
