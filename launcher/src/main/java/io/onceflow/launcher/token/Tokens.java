package io.onceflow.launcher.token;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Makes the tokens that the services accept: JWTs by {@link #ISSUER}, signed with RS256.
 *
 * <p>The JDK signs and Jackson writes; a library for JWT would be most of the launcher's start-up.
 */
public final class Tokens {

  /** What the services expect as {@code iss} unless another issuer is configured. */
  public static final String ISSUER = "https://onceflow.local";

  /** What the services expect in {@code aud}. */
  public static final String AUDIENCE = "onceflow";

  /** The services take no token that is valid for longer, from {@code iat} to {@code exp}. */
  public static final Duration LONGEST = Duration.ofHours(24);

  /** The role of operators, who may read and change the data of all customers. */
  public static final String OPERATOR = "operator";

  /** The role of those who see the data of all customers but who these are, and change nothing. */
  public static final String VIEWER = "viewer";

  /** The role of every token. */
  public static final String CUSTOMER = "customer";

  /** The least that today's guidance (NIST SP 800-57) accepts. */
  private static final int KEY_BITS = 2048;

  private static final String HEADER = "{\"alg\":\"RS256\",\"typ\":\"JWT\"}";

  private Tokens() {}

  /** Makes a fresh RSA key pair. */
  public static KeyPair newKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(KEY_BITS);
      return generator.generateKeyPair();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has RSA", e);
    }
  }

  /**
   * Makes a token.
   *
   * @param user the subject, whose name scopes all idempotency keys
   * @param roles go into {@code groups}, beside {@link #CUSTOMER}
   * @param now from when on it is valid
   * @param validFor for how long
   */
  public static String sign(
      PrivateKey key, String user, Set<String> roles, Instant now, Duration validFor) {
    return sign(key, claims(user, roles, now, validFor));
  }

  /** Signs any claims. */
  public static String sign(PrivateKey key, ObjectNode claims) {
    String signed = base64(HEADER) + "." + base64(claims.toString());
    return signed + "." + base64(signature(key, signed));
  }

  /** The claims of {@link #sign(PrivateKey, String, Set, Instant, Duration)}. */
  public static ObjectNode claims(String user, Set<String> roles, Instant now, Duration validFor) {
    ObjectNode claims = JsonNodeFactory.instance.objectNode();
    claims.put("iss", ISSUER);
    claims.put("aud", AUDIENCE);
    claims.put("sub", user);
    claims.put("upn", user);
    TreeSet<String> groups = new TreeSet<>(roles);
    groups.add(CUSTOMER);
    groups.forEach(claims.putArray("groups")::add);
    claims.put("iat", now.getEpochSecond());
    claims.put("exp", now.plus(validFor).getEpochSecond());
    claims.put("jti", UUID.randomUUID().toString());
    return claims;
  }

  private static byte[] signature(PrivateKey key, String text) {
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(key);
      signature.update(text.getBytes(StandardCharsets.US_ASCII));
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("This key cannot sign", e);
    }
  }

  private static String base64(String text) {
    return base64(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
