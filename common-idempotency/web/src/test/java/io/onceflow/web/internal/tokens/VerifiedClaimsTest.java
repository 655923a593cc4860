package io.onceflow.web.internal.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.smallrye.jwt.auth.principal.DefaultJWTCallerPrincipalFactory;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import io.smallrye.jwt.auth.principal.ParseException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which claims are refused though the issuer signed them. */
class VerifiedClaimsTest {

  private static final String ISSUER = "https://issuer.example";
  private static final KeyPair KEYS = keys();

  private final long now = Instant.now().getEpochSecond();
  private final JWTAuthContextInfo trusted = new JWTAuthContextInfo(KEYS.getPublic(), ISSUER);
  private final VerifiedTokens tokens =
      new VerifiedTokens(
          new DefaultJWTCallerPrincipalFactory(), Clock.systemUTC(), System::nanoTime);

  VerifiedClaimsTest() {
    trusted.setMaxTimeToLiveSecs(Duration.ofDays(1).toSeconds());
    trusted.setClockSkew(10);
  }

  @Test
  void acceptsATokenOfNow() throws Exception {
    assertThat(tokens.parse(signed(now, now + 3600, List.of("customer")), trusted).getGroups())
        .containsExactly("customer");
  }

  @Test
  void acceptsATokenOfAnIssuerWhoseClockIsSlightlyAhead() throws Exception {
    assertThat(tokens.parse(signed(now + 8, now + 3600, List.of()), trusted).getName())
        .isEqualTo("anna");
  }

  @ParameterizedTest
  @ValueSource(longs = {60, 86_400, 365 * 86_400L})
  void refusesATokenOfTheFuture(long ahead) throws Exception {
    refuses(signed(now + ahead, now + ahead + 3600, List.of()));
  }

  @ParameterizedTest
  @ValueSource(longs = {1_000_000_000_000_000_000L, -1_000_000_000_000_000_000L, Long.MAX_VALUE})
  void refusesATokenWhoseTimeIsNone(long time) throws Exception {
    refuses(signed(time, now + 3600, List.of()));
    refuses(signed(now, time, List.of()));
    refuses(signed(time, time, List.of()));
  }

  @Test
  void refusesGroupsThatAreNoList() throws Exception {
    refuses(signed(now, now + 3600, Map.of()));
    refuses(signed(now, now + 3600, Map.of("customer", true)));
    refuses(signed(now, now + 3600, 7));
  }

  private void refuses(String token) {
    assertThatExceptionOfType(ParseException.class).isThrownBy(() -> tokens.parse(token, trusted));
  }

  private static String signed(long issuedAt, long expires, Object groups) throws JoseException {
    JwtClaims claims = new JwtClaims();
    claims.setIssuer(ISSUER);
    claims.setSubject("anna");
    claims.setClaim("iat", issuedAt);
    claims.setClaim("exp", expires);
    claims.setClaim("groups", groups);
    JsonWebSignature token = new JsonWebSignature();
    token.setPayload(claims.toJson());
    token.setKey(KEYS.getPrivate());
    token.setAlgorithmHeaderValue(AlgorithmIdentifiers.RSA_USING_SHA256);
    return token.getCompactSerialization();
  }

  private static KeyPair keys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
