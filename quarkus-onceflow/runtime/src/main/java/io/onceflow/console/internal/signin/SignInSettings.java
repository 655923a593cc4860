package io.onceflow.console.internal.signin;

import io.onceflow.console.internal.SignInLinks;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Whether there is an issuer, and the addresses of the console that have to do with it. */
@ApplicationScoped
class SignInSettings implements SignInLinks {

  private final boolean hasIssuer;
  private final String console;
  private final Optional<String> bearerIssuer;

  SignInSettings(
      @ConfigProperty(name = "quarkus.oidc.tenant-enabled", defaultValue = "true") boolean enabled,
      @ConfigProperty(name = "quarkus.oidc.auth-server-url") Optional<String> issuer,
      @ConfigProperty(name = "quarkus.oidc.provider") Optional<String> provider,
      @ConfigProperty(name = "quarkus.http.root-path", defaultValue = "/") String root,
      @ConfigProperty(name = "mp.jwt.verify.issuer") Optional<String> bearerIssuer) {
    this.hasIssuer = enabled && (issuer.isPresent() || provider.isPresent());
    this.console = (root.endsWith("/") ? root : root + "/") + "console/";
    this.bearerIssuer = bearerIssuer;
  }

  boolean hasIssuer() {
    return hasIssuer;
  }

  /** The console's address, with a slash at its end. */
  String console() {
    return console;
  }

  /** The view that offers to sign in. */
  String view() {
    return console + "sign-in";
  }

  /** Where the code flow starts, and where the issuer sends the browser back to. */
  String flow() {
    return console + "sign-in/oidc";
  }

  /** Whether a path is one where a session starts or ends. */
  boolean isRoute(String path) {
    return path.equals(flow()) || path.equals(signOut());
  }

  /** Whose bearer tokens are checked by SmallRye JWT, with the keys that are configured for it. */
  boolean isBearerIssuer(String issuer) {
    return bearerIssuer.filter(issuer::equals).isPresent();
  }

  @Override
  public Optional<String> signIn() {
    return hasIssuer ? Optional.of(flow()) : Optional.empty();
  }

  @Override
  public String signOut() {
    return console + "sign-out";
  }
}
