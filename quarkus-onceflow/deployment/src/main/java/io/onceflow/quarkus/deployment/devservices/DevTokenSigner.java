package io.onceflow.quarkus.deployment.devservices;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.onceflow.launcher.token.Tokens;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.config.Config;

/**
 * Signs tokens that an application accepts which verifies them by a key pair of Quarkus.
 *
 * @param issuer that the application expects
 * @param audience that it expects, if any
 */
record DevTokenSigner(PrivateKey key, String issuer, Optional<String> audience) {

  private static final String SIGN_KEY = "smallrye.jwt.sign.key";
  private static final String ISSUER = "mp.jwt.verify.issuer";

  /** What Quarkus sets where the application has a key, but not this one. */
  private static final String NO_KEY = "NONE";

  /**
   * @param devService settings that a Dev Service hands out; empty if no key is among them
   */
  static Optional<DevTokenSigner> of(Map<String, String> devService, Config application) {
    String issuer =
        application
            .getOptionalValue(ISSUER, String.class)
            .orElse(devService.getOrDefault(ISSUER, Tokens.ISSUER));
    Optional<String> audience =
        application
            .getOptionalValue("mp.jwt.verify.audiences", String[].class)
            .map(audiences -> audiences[0]);
    return Optional.ofNullable(devService.get(SIGN_KEY))
        .filter(key -> !key.equals(NO_KEY))
        .map(key -> new DevTokenSigner(privateKey(key), issuer, audience));
  }

  String sign(String user, Set<String> roles) {
    ObjectNode claims = Tokens.claims(user, roles, Instant.now(), Tokens.LONGEST);
    claims.put("iss", issuer);
    audience.ifPresentOrElse(it -> claims.put("aud", it), () -> claims.remove("aud"));
    return Tokens.sign(key, claims);
  }

  private static PrivateKey privateKey(String base64) {
    try {
      return KeyFactory.getInstance("RSA")
          .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64)));
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("the generated key of quarkus-smallrye-jwt is no RSA", e);
    }
  }
}
