package io.onceflow.console.internal.signin;

import io.quarkus.arc.DefaultBean;
import io.quarkus.oidc.OidcRequestContext;
import io.quarkus.oidc.OidcTenantConfig;
import io.quarkus.oidc.TenantConfigResolver;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * Finds no other tenant than the one of the configuration. Where there is a resolver, quarkus-oidc
 * lets the application start without an issuer.
 */
@DefaultBean
@ApplicationScoped
class DefaultTenantOnly implements TenantConfigResolver {

  @Override
  public Uni<OidcTenantConfig> resolve(
      RoutingContext routing, OidcRequestContext<OidcTenantConfig> request) {
    return Uni.createFrom().nullItem();
  }
}
