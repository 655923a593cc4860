package io.onceflow.core;

/**
 * Says whose keys a request's key is among. Keys of different scopes never meet, so a caller can
 * neither see nor disturb another's. The default is the authenticated subject; an application may
 * supply a bean of its own.
 */
public interface ScopeResolver {

  /**
   * Characters of a scope at most: as many as PostgreSQL surely takes into an index together with a
   * key, and twice as many as OpenID Connect allows a subject.
   */
  int MAX_LENGTH = 512;

  /**
   * The scope of the current request, never blank, of at most {@link #MAX_LENGTH} characters, all
   * of them printable.
   *
   * @throws RuntimeException that is answered with 401 when the caller is not authenticated:
   *     anonymous callers would share one scope and read each other's answers
   */
  String scope();
}
