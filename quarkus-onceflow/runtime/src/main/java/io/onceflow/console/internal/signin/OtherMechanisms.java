package io.onceflow.console.internal.signin;

import io.quarkus.oidc.runtime.OidcAuthenticationMechanism;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.vertx.http.runtime.security.HttpAuthenticationMechanism;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import java.util.Comparator;
import java.util.List;

/** How the application authenticates callers where quarkus-oidc does not, such as SmallRye JWT. */
@ApplicationScoped
class OtherMechanisms {

  private final Instance<HttpAuthenticationMechanism> mechanisms;

  OtherMechanisms(@Any Instance<HttpAuthenticationMechanism> mechanisms) {
    this.mechanisms = mechanisms;
  }

  /** By the first that finds credentials; null if none does. */
  Uni<SecurityIdentity> authenticate(RoutingContext routing, IdentityProviderManager identities) {
    Uni<SecurityIdentity> identity = Uni.createFrom().nullItem();
    for (HttpAuthenticationMechanism mechanism : inOrder()) {
      identity =
          identity.onItem().ifNull().switchTo(() -> mechanism.authenticate(routing, identities));
    }
    return identity;
  }

  private List<HttpAuthenticationMechanism> inOrder() {
    return mechanisms
        .handlesStream()
        .filter(handle -> !isOfSignIn(handle.getBean().getBeanClass()))
        .map(Instance.Handle::get)
        .sorted(Comparator.comparing(HttpAuthenticationMechanism::getPriority).reversed())
        .toList();
  }

  private static boolean isOfSignIn(Class<?> mechanism) {
    return mechanism == CookieSessions.class || mechanism == OidcAuthenticationMechanism.class;
  }
}
