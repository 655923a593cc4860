package io.onceflow.payment.boot;

import io.onceflow.startup.IssuerKey;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Not ready as long as there has been no key to check tokens with. */
@Readiness
@ApplicationScoped
class TokenKeys implements HealthCheck {

  private final IssuerKey key;

  TokenKeys(JWTAuthContextInfo trusted) {
    this.key = new IssuerKey(trusted);
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
}
