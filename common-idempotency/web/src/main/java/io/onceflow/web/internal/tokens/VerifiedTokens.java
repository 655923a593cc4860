package io.onceflow.web.internal.tokens;

import io.smallrye.jwt.auth.principal.DefaultJWTCallerPrincipalFactory;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import io.smallrye.jwt.auth.principal.JWTCallerPrincipal;
import io.smallrye.jwt.auth.principal.JWTCallerPrincipalFactory;
import io.smallrye.jwt.auth.principal.ParseException;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.eclipse.microprofile.jwt.Claims;

/**
 * Remembers for a short time which tokens were verified: a caller sends the same one with each
 * request, and checking its signature costs more than all the rest of its reading. A token is
 * verified again once a minute, so that one whose key the issuer has withdrawn is soon refused, and
 * never later than at its {@code exp}. What is refused is not remembered.
 */
@Alternative
@Priority(1)
@ApplicationScoped
public class VerifiedTokens extends JWTCallerPrincipalFactory {

  /** How long a withdrawn key may continue being believed. */
  static final Duration LONGEST = Duration.ofMinutes(1);

  /** Tokens and what was read of them, in characters: some thousands of usual ones. */
  private static final long LARGEST = 2_000_000;

  private static final int OVERHEAD = 500;

  private final JWTCallerPrincipalFactory verifier;
  private final Clock clock;
  private final LongSupplier nanoTime;
  private final Map<Verified, Remembered> verified = new ConcurrentHashMap<>();
  private long size;

  @Inject
  VerifiedTokens() {
    this(new DefaultJWTCallerPrincipalFactory(), Clock.systemUTC(), System::nanoTime);
  }

  VerifiedTokens(JWTCallerPrincipalFactory verifier, Clock clock, LongSupplier nanoTime) {
    this.verifier = verifier;
    this.clock = clock;
    this.nanoTime = nanoTime;
  }

  /**
   * A token that was verified.
   *
   * @param by what was trusted; elsewhere the same token may be worth nothing
   */
  private record Verified(String text, JWTAuthContextInfo by) {}

  private record Remembered(JWTCallerPrincipal caller, long untilNanos) {}

  @Override
  public JWTCallerPrincipal parse(String token, JWTAuthContextInfo trusted) throws ParseException {
    Verified key = new Verified(token, trusted);
    Remembered known = verified.get(key);
    if (known != null && known.untilNanos - nanoTime.getAsLong() > 0) {
      return known.caller;
    }
    JWTCallerPrincipal fresh = verify(token, trusted);
    remember(key, fresh);
    return fresh;
  }

  /** Forgets all when there are too many: each is verified again once a minute anyway. */
  private synchronized void remember(Verified token, JWTCallerPrincipal caller) {
    if (size > LARGEST) {
      verified.clear();
      size = 0;
    }
    long until = nanoTime.getAsLong() + restOf(caller).toNanos();
    if (verified.put(token, new Remembered(caller, until)) == null) {
      size += OVERHEAD + token.text.length();
    }
  }

  /** Times beyond the calendar and groups that are no list end the verifier with any exception. */
  private JWTCallerPrincipal verify(String token, JWTAuthContextInfo trusted)
      throws ParseException {
    try {
      JWTCallerPrincipal caller = verifier.parse(token, trusted);
      check(caller, trusted);
      return caller;
    } catch (RuntimeException e) {
      throw new ParseException("a claim of the token cannot be read", e);
    }
  }

  /**
   * A signed token may still hold what its issuer should not have signed. How long a token may live
   * is counted from its {@code iat}, so one of the future would live longer.
   */
  private void check(JWTCallerPrincipal caller, JWTAuthContextInfo trusted) throws ParseException {
    Instant latest = clock.instant().plusSeconds(trusted.getClockSkew());
    if (caller.containsClaim(Claims.iat.name())
        && Instant.ofEpochSecond(caller.getIssuedAtTime()).isAfter(latest)) {
      throw new ParseException("the token's iat is in the future");
    }
    restOf(caller);
    caller.getGroups();
  }

  private Duration restOf(JWTCallerPrincipal caller) {
    Duration rest =
        Duration.between(clock.instant(), Instant.ofEpochSecond(caller.getExpirationTime()));
    return rest.isNegative() ? Duration.ZERO : rest.compareTo(LONGEST) < 0 ? rest : LONGEST;
  }
}
