package io.onceflow.quickstart.token;

import io.smallrye.jwt.build.Jwt;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.time.Duration;
import java.util.Set;

/** Makes the tokens that the services accept: RS256, by {@link #ISSUER}. */
public final class Tokens {

  /** What the services expect as {@code iss} unless another issuer is configured. */
  public static final String ISSUER = "https://onceflow.local";

  /** The role of those who may see and mend what belongs to others. */
  public static final String OPERATOR = "operator";

  /** The role of everybody with a token. */
  public static final String CUSTOMER = "customer";

  /** The least that today's guidance (NIST SP 800-57) accepts. */
  private static final int KEY_BITS = 2048;

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
   * Makes a token that is valid from now on.
   *
   * @param user the subject, whose name scopes all idempotency keys
   * @param roles the roles, as {@code groups}
   */
  public static String sign(PrivateKey key, String user, Set<String> roles, Duration validFor) {
    return Jwt.issuer(ISSUER).subject(user).upn(user).groups(roles).expiresIn(validFor).sign(key);
  }
}
