package io.onceflow.idempotency;

/**
 * Says whose keys a request's key is among. Keys of different scopes never meet, so a caller can
 * neither see nor disturb another's. The default is the authenticated subject; an application may
 * supply a bean of its own.
 */
public interface ScopeResolver {

  /**
   * The scope of the current request, never blank.
   *
   * @throws io.quarkus.security.UnauthorizedException when nobody is authenticated: anonymous
   *     callers would share one scope and read each other's answers
   */
  String scope();
}
