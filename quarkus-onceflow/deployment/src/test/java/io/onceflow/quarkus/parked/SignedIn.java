package io.onceflow.quarkus.parked;

import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.runtime.QuarkusPrincipal;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import io.quarkus.vertx.http.runtime.security.ChallengeData;
import io.quarkus.vertx.http.runtime.security.HttpAuthenticationMechanism;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Set;

/** Signs callers in without tokens: the header {@code X-Role} says what each of them is. */
@ApplicationScoped
public class SignedIn implements HttpAuthenticationMechanism {

  @Override
  public Uni<SecurityIdentity> authenticate(
      RoutingContext context, IdentityProviderManager identities) {
    String role = context.request().getHeader("X-Role");
    return role == null
        ? Uni.createFrom().nullItem()
        : Uni.createFrom()
            .item(
                QuarkusSecurityIdentity.builder()
                    .setPrincipal(new QuarkusPrincipal("olga"))
                    .addRoles(Set.of(role))
                    .build());
  }

  @Override
  public Uni<ChallengeData> getChallenge(RoutingContext context) {
    return Uni.createFrom().item(new ChallengeData(401, "WWW-Authenticate", "Bearer"));
  }
}
