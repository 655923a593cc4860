package io.onceflow.console.internal.signin;

import io.quarkus.security.identity.SecurityIdentity;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.jspecify.annotations.Nullable;

/**
 * What a page has to send beside its cookie to show that it could read an answer of this service,
 * which a page of another site cannot. It is computed from the session, not stored, so that every
 * replica knows it.
 */
@ApplicationScoped
class CsrfTokens {

  /** The first one that is set; all replicas have the same. */
  private static final List<String> SECRETS =
      List.of(
          "quarkus.oidc.token-state-manager.encryption-secret",
          "quarkus.oidc.credentials.secret",
          "quarkus.oidc.credentials.client-secret.value");

  private static final String ALGORITHM = "HmacSHA256";

  /** Keeps this use of the secret apart from all others. */
  private static final String PURPOSE = "onceflow console CSRF token";

  private final SecretKeySpec key;

  @Inject
  CsrfTokens(Config config) {
    this(
        SECRETS.stream()
            .flatMap(name -> config.getOptionalValue(name, String.class).stream())
            .findFirst()
            .map(secret -> secret.getBytes(StandardCharsets.UTF_8))
            .orElseGet(CsrfTokens::random));
  }

  CsrfTokens(byte[] secret) {
    this.key = new SecretKeySpec(secret, ALGORITHM);
  }

  /** Where no secret is set, quarkus-oidc makes one up for each process as well. */
  private static byte[] random() {
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    return secret;
  }

  /** The token of a session: the same as long as it lasts, and no one else's. */
  String of(SecurityIdentity session) {
    return session.getPrincipal() instanceof JsonWebToken idToken
        ? of(idToken.getIssuer(), idToken.getSubject(), idToken.<Object>getClaim("sid"))
        : of(session.getPrincipal().getName());
  }

  private String of(@Nullable Object... session) {
    String text =
        Stream.concat(Stream.of(PURPOSE), Stream.of(session).map(String::valueOf))
            .map(part -> part.length() + ":" + part)
            .collect(Collectors.joining());
    return Base64.getUrlEncoder().withoutPadding().encodeToString(sign(text));
  }

  private byte[] sign(String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has " + ALGORITHM, e);
    }
  }

  /** Takes the same time whatever was sent. */
  boolean isOf(SecurityIdentity session, @Nullable String sent) {
    byte[] expected = of(session).getBytes(StandardCharsets.US_ASCII);
    byte[] actual = Optional.ofNullable(sent).orElse("").getBytes(StandardCharsets.UTF_8);
    return MessageDigest.isEqual(expected, actual);
  }
}
