package io.onceflow.launcher.testing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.onceflow.launcher.token.Tokens;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;

/** Tokens that services under {@link ServersResource} accept, signed with this JVM's own keys. */
public final class TestTokens {

  // Quarkus loads this class once per test profile; system properties are the same to all.
  private static final String PRIVATE_KEY = "onceflow.test.private-key";
  private static final String PUBLIC_KEY = "onceflow.test.public-key";

  private static final Duration VALID_FOR = Duration.ofHours(1);

  private TestTokens() {}

  /**
   * Returns a token for the user, valid for an hour.
   *
   * @param roles such as {@code operator}; {@code customer} is always among them
   */
  public static String token(String user, String... roles) {
    return Tokens.sign(privateKey(), user, Set.of(roles), Instant.now(), VALID_FOR);
  }

  /** A token of an operator that says something else than it should. */
  public static String operatorsTokenWith(Consumer<ObjectNode> change) {
    ObjectNode claims = Tokens.claims("olga", Set.of(Tokens.OPERATOR), Instant.now(), VALID_FOR);
    change.accept(claims);
    return Tokens.sign(privateKey(), claims);
  }

  /** The public key, base64 of its X.509 form, as {@code mp.jwt.verify.publickey} takes it. */
  public static String publicKey() {
    return property(PUBLIC_KEY);
  }

  private static PrivateKey privateKey() {
    byte[] encoded = Base64.getDecoder().decode(property(PRIVATE_KEY));
    try {
      return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(encoded));
    } catch (NoSuchAlgorithmException | InvalidKeySpecException e) {
      throw new IllegalStateException("The key is our own", e);
    }
  }

  private static String property(String name) {
    Properties properties = System.getProperties();
    synchronized (properties) {
      if (!properties.containsKey(name)) {
        KeyPair keys = Tokens.newKeys();
        Base64.Encoder base64 = Base64.getEncoder();
        properties.setProperty(PRIVATE_KEY, base64.encodeToString(keys.getPrivate().getEncoded()));
        properties.setProperty(PUBLIC_KEY, base64.encodeToString(keys.getPublic().getEncoded()));
      }
      return properties.getProperty(name);
    }
  }
}
