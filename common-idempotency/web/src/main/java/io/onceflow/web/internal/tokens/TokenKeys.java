package io.onceflow.web.internal.tokens;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import io.smallrye.jwt.auth.principal.KeyLocationResolver;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import java.time.Duration;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;
import org.jboss.logging.Logger;
import org.jose4j.lang.JoseException;
import org.jose4j.lang.UnresolvableKeyException;

/**
 * Not ready as long as there has been no key to check tokens with. The keys are read again and
 * again until that has succeeded once. From then on the service is ready whether the issuer answers
 * or not, since the keys are cached.
 */
@Readiness
@ApplicationScoped
class TokenKeys implements HealthCheck {

  private static final Logger LOG = Logger.getLogger(TokenKeys.class);

  /**
   * Short beside the time in which an operator corrects it, long beside what a request costs the
   * issuer.
   */
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private static final String SETTING = "mp.jwt.verify.publickey.location";

  private final JWTAuthContextInfo trusted;
  private final Thread thread = Thread.ofVirtual().name("issuer-key").unstarted(this::read);
  private volatile String trouble = "not read yet";

  TokenKeys(JWTAuthContextInfo trusted) {
    this.trusted = trusted;
  }

  void start(@Observes StartupEvent started) {
    thread.start();
  }

  void stop(@Observes ShutdownEvent stopping) {
    thread.interrupt();
  }

  private void read() {
    String logged = "";
    try {
      for (String why = why(); !why.isEmpty(); why = why()) {
        trouble = why;
        if (!why.equals(logged)) {
          LOG.errorf("tokens cannot be checked: %s; retrying", why);
          logged = why;
        }
        Thread.sleep(PAUSE);
      }
      trouble = "";
      if (!logged.isEmpty()) {
        LOG.info("read the issuer's keys");
      }
    } catch (InterruptedException e) {
      LOG.debug("stopped reading the issuer's keys");
    }
  }

  /** Empty when there is a key. */
  private String why() {
    String place = trusted.getPublicKeyLocation();
    if (place == null && trusted.getPublicKeyContent() == null) {
      return SETTING + " is not set";
    }
    String shown = SETTING + " " + (place == null ? "itself" : place);
    try {
      return new Keys(trusted).areThere() ? "" : shown + " holds no public key";
    } catch (Exception e) {
      return "%s cannot be read (%s)".formatted(shown, first(e));
    }
  }

  private static String first(Throwable e) {
    Throwable first = e;
    while (first.getCause() != null) {
      first = first.getCause();
    }
    return first.toString().lines().findFirst().orElse("");
  }

  @Override
  public HealthCheckResponse call() {
    String why = trouble;
    HealthCheckResponseBuilder response = HealthCheckResponse.named("issuer-key");
    if (!why.isEmpty()) {
      response.withData("trouble", why);
    }
    return response.status(why.isEmpty()).build();
  }

  /** Reads the keys as those do who check tokens, by the same settings, and says what it found. */
  private static final class Keys extends KeyLocationResolver {

    Keys(JWTAuthContextInfo trusted) throws UnresolvableKeyException {
      super(trusted);
    }

    boolean areThere() throws IOException, JoseException {
      return key != null
          || jsonWebKeys != null && !jsonWebKeys.isEmpty()
          || httpsJwks != null && !httpsJwks.getJsonWebKeys().isEmpty();
    }
  }
}
