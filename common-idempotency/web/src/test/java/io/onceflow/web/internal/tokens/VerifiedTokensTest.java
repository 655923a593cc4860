package io.onceflow.web.internal.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.smallrye.jwt.auth.principal.DefaultJWTCallerPrincipal;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import io.smallrye.jwt.auth.principal.JWTCallerPrincipal;
import io.smallrye.jwt.auth.principal.JWTCallerPrincipalFactory;
import io.smallrye.jwt.auth.principal.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.junit.jupiter.api.Test;

/** What is remembered of tokens, and for how long. */
class VerifiedTokensTest {

  private final JWTAuthContextInfo trusted = new JWTAuthContextInfo();
  private final Time time = new Time();
  private final Issuer issuer = new Issuer();
  private final VerifiedTokens tokens = new VerifiedTokens(issuer, time, time::nanos);

  @Test
  void verifiesATokenOnceAMinute() throws ParseException {
    tokens.parse("anna", trusted);
    time.pass(Duration.ofSeconds(59));
    assertThat(tokens.parse("anna", trusted).getName()).isEqualTo("anna");
    assertThat(issuer.asked).containsExactly("anna");

    time.pass(Duration.ofSeconds(2));
    tokens.parse("anna", trusted);

    assertThat(issuer.asked).containsExactly("anna", "anna");
  }

  @Test
  void remembersNoTokenBeyondItsEnd() throws ParseException {
    issuer.validFor = Duration.ofSeconds(10);
    tokens.parse("anna", trusted);

    time.pass(Duration.ofSeconds(11));
    issuer.withdrawn = true;

    assertThatExceptionOfType(ParseException.class).isThrownBy(() -> tokens.parse("anna", trusted));
  }

  @Test
  void refusesATokenOfAWithdrawnKeyAfterAMinute() throws ParseException {
    tokens.parse("anna", trusted);
    issuer.withdrawn = true;

    time.pass(VerifiedTokens.LONGEST.plusSeconds(1));

    assertThatExceptionOfType(ParseException.class).isThrownBy(() -> tokens.parse("anna", trusted));
  }

  @Test
  void verifiesEveryOtherTokenAndWhatIsTrustedElsewhere() throws ParseException {
    tokens.parse("anna", trusted);

    assertThat(tokens.parse("ben", trusted).getName()).isEqualTo("ben");
    tokens.parse("anna", new JWTAuthContextInfo());

    assertThat(issuer.asked).containsExactly("anna", "ben", "anna");
  }

  @Test
  void remembersNoRefusal() throws ParseException {
    issuer.withdrawn = true;
    assertThatExceptionOfType(ParseException.class).isThrownBy(() -> tokens.parse("anna", trusted));

    issuer.withdrawn = false;

    assertThat(tokens.parse("anna", trusted).getName()).isEqualTo("anna");
  }

  @Test
  void remembersNoMoreThanItsBound() throws ParseException {
    tokens.parse("anna", trusted);
    for (int i = 0; i < 5; i++) {
      tokens.parse(i + "x".repeat(500_000), trusted);
    }
    tokens.parse("anna", trusted);

    assertThat(issuer.asked).filteredOn("anna"::equals).hasSize(2);
  }

  /** Whose tokens consist of the subject's name. */
  private final class Issuer extends JWTCallerPrincipalFactory {

    final List<String> asked = new ArrayList<>();
    Duration validFor = Duration.ofHours(1);
    boolean withdrawn;

    @Override
    public JWTCallerPrincipal parse(String token, JWTAuthContextInfo by) throws ParseException {
      asked.add(token);
      if (withdrawn) {
        throw new ParseException("the key is not known");
      }
      JwtClaims claims = new JwtClaims();
      claims.setSubject(token);
      claims.setExpirationTime(
          NumericDate.fromSeconds(time.instant().plus(validFor).getEpochSecond()));
      return new DefaultJWTCallerPrincipal(claims);
    }
  }

  /** Passes when it is told to. */
  private static final class Time extends Clock {

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    void pass(Duration time) {
      now = now.plus(time);
    }

    long nanos() {
      return Duration.between(Instant.EPOCH, now).toNanos();
    }

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
