package io.onceflow.web.internal.tokens;

import io.onceflow.internal.startup.IssuerKey;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import io.smallrye.jwt.auth.principal.KeyLocationResolver;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.jose4j.lang.JoseException;
import org.jose4j.lang.UnresolvableKeyException;
import org.jspecify.annotations.Nullable;

/** Not ready as long as there has been no key to check tokens with. */
@Readiness
@ApplicationScoped
class TokenKeys implements HealthCheck {

  private final IssuerKey key;

  TokenKeys(JWTAuthContextInfo trusted) {
    this.key = new IssuerKey(place(trusted), () -> new Read(trusted).holdsKey());
  }

  private static @Nullable String place(JWTAuthContextInfo trusted) {
    String location = trusted.getPublicKeyLocation();
    boolean isInline = location == null && trusted.getPublicKeyContent() != null;
    return isInline ? "itself" : location;
  }

  void start(@Observes StartupEvent started) {
    key.start();
  }

  void stop(@Observes ShutdownEvent stopping) {
    key.close();
  }

  @Override
  public HealthCheckResponse call() {
    return key.call();
  }

  /** Reads the keys as those do who check tokens, by the same settings, and tells what it found. */
  private static final class Read extends KeyLocationResolver {

    Read(JWTAuthContextInfo trusted) throws UnresolvableKeyException {
      super(trusted);
    }

    boolean holdsKey() throws IOException, JoseException {
      return key != null
          || jsonWebKeys != null && !jsonWebKeys.isEmpty()
          || httpsJwks != null && !httpsJwks.getJsonWebKeys().isEmpty();
    }
  }
}
