package io.onceflow.saga.internal.operators;

import io.quarkus.security.identity.SecurityIdentity;

/** The roles of those who watch sagas, and of those who move them. */
public final class Roles {

  /** May read everything but personal data, and move nothing. */
  public static final String VIEWER = "viewer";

  /** May read everything, and move sagas. */
  public static final String OPERATOR = "operator";

  private Roles() {}

  /** Whether a caller may see whose a saga is, and what its messages hold. */
  public static boolean seesPersonalData(SecurityIdentity caller) {
    return caller.hasRole(OPERATOR);
  }
}
