package io.onceflow.quarkus.deployment.devservices;

import io.smallrye.jwt.build.Jwt;
import io.smallrye.jwt.build.JwtClaimsBuilder;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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

  /** The issuer that applications expect unless another one is configured. */
  private static final String DEFAULT_ISSUER = "https://onceflow.local";

  /** The role of every token. */
  private static final String CUSTOMER = "customer";

  /** Applications take no token that is valid for longer. */
  private static final Duration LONGEST = Duration.ofHours(24);

  /** What Quarkus sets where the application has a key, but not this one. */
  private static final String NO_KEY = "NONE";

  /**
   * @param devService settings that a Dev Service hands out; empty if no key is among them
   */
  static Optional<DevTokenSigner> of(Map<String, String> devService, Config application) {
    String issuer =
        application
            .getOptionalValue(ISSUER, String.class)
            .orElse(devService.getOrDefault(ISSUER, DEFAULT_ISSUER));
    Optional<String> audience =
        application
            .getOptionalValue("mp.jwt.verify.audiences", String[].class)
            .map(audiences -> audiences[0]);
    return Optional.ofNullable(devService.get(SIGN_KEY))
        .filter(key -> !key.equals(NO_KEY))
        .map(key -> new DevTokenSigner(privateKey(key), issuer, audience));
  }

  String sign(String user, Set<String> roles) {
    Set<String> groups = new TreeSet<>(roles);
    groups.add(CUSTOMER);
    JwtClaimsBuilder claims =
        Jwt.issuer(issuer).subject(user).upn(user).groups(groups).expiresIn(LONGEST);
    audience.ifPresent(claims::audience);
    return claims.sign(key);
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
