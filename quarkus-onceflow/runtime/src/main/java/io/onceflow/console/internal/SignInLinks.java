package io.onceflow.console.internal;

import java.util.Optional;

/** Where the page sends its user to sign in and out; a bean where the application can do that. */
public interface SignInLinks {

  /**
   * An attribute of an identity that comes from a session in a cookie: what the page has to send as
   * {@code X-CSRF-Token}.
   */
  String CSRF_TOKEN = "io.onceflow.console.csrf-token";

  /** Empty where no issuer is configured. */
  Optional<String> signIn();

  /** Where a session in a cookie ends. */
  String signOut();
}
