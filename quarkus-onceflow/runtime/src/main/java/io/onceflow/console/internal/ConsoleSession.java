package io.onceflow.console.internal;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who is signed in.
 *
 * @param name the subject that histories and audits name; null without a sign-in
 * @param roles those of {@code viewer} and {@code operator} that the caller has
 * @param csrf what a session in a cookie has to send as {@code X-CSRF-Token} with each request that
 *     is no GET; null for a bearer token, which needs none
 * @param method {@code bearer} or {@code oidc}; null without a sign-in
 * @param signInUrl where to sign in at the issuer; null where none is configured
 * @param signOutUrl where a session in a cookie ends; null for a bearer token, which the page drops
 */
@JsonInclude(Include.ALWAYS)
record ConsoleSession(
    boolean signedIn,
    @Nullable String name,
    List<String> roles,
    @Nullable String csrf,
    @Nullable String method,
    @Nullable String signInUrl,
    @Nullable String signOutUrl) {

  static ConsoleSession nobody(@Nullable String signInUrl) {
    return new ConsoleSession(false, null, List.of(), null, null, signInUrl, null);
  }

  /** Of a caller who sends a token. */
  static ConsoleSession bearer(String name, List<String> roles, @Nullable String signInUrl) {
    return new ConsoleSession(true, name, roles, null, "bearer", signInUrl, null);
  }

  /**
   * Of a caller who has signed in at the issuer.
   *
   * @param csrf see {@link #csrf()}
   */
  static ConsoleSession cookie(String name, List<String> roles, String csrf, SignInLinks links) {
    return new ConsoleSession(
        true, name, roles, csrf, "oidc", links.signIn().orElse(null), links.signOut());
  }
}
