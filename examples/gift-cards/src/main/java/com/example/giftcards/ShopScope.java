package com.example.giftcards;

import io.onceflow.core.ScopeResolver;
import io.quarkus.security.UnauthorizedException;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * The tills of a shop share their keys: what was started at one may be requested again at the next.
 * Without this bean each till, as the authenticated subject, would have keys of its own.
 */
@ApplicationScoped
public class ShopScope implements ScopeResolver {

  private final SecurityIdentity identity;

  ShopScope(SecurityIdentity identity) {
    this.identity = identity;
  }

  /** The shop of the calling till, whose name is {@code <shop>/<till>}. */
  @Override
  public String scope() {
    String till = identity.isAnonymous() ? "" : identity.getPrincipal().getName();
    int slash = till.indexOf('/');
    if (slash < 1) {
      throw new UnauthorizedException("only the till of a shop may call");
    }
    return till.substring(0, slash);
  }
}
