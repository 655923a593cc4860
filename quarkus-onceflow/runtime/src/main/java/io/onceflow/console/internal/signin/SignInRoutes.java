package io.onceflow.console.internal.signin;

import io.onceflow.idempotency.internal.problem.ProblemAddress;
import io.quarkus.oidc.runtime.OidcAuthenticationMechanism;
import io.quarkus.security.AuthenticationCompletionException;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.AuthenticationRedirectException;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Optional;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The two addresses where a browser, not a program, goes to sign in and out. They alone lead to the
 * issuer's pages.
 */
@ApplicationScoped
class SignInRoutes {

  private static final Logger LOG = Logger.getLogger(SignInRoutes.class);
  private static final int FOUND = 302;
  private static final int BAD_REQUEST = 400;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;

  private final SignInSettings settings;
  private final OidcAuthenticationMechanism oidc;
  private final IdentityProviderManager identities;

  SignInRoutes(
      SignInSettings settings,
      OidcAuthenticationMechanism oidc,
      IdentityProviderManager identities) {
    this.settings = settings;
    this.oidc = oidc;
    this.identities = identities;
  }

  void register(@Observes Router router) {
    if (settings.hasIssuer()) {
      router.get(settings.flow()).handler(this::signIn);
      router.get(settings.signOut()).handler(this::signOut);
    }
  }

  /** With {@code to} a browser starts here; with {@code state} the issuer sends it back. */
  private void signIn(RoutingContext routing) {
    Optional<String> to = ReturnAddress.within(settings.console(), parameter(routing, "to"));
    if (to.isEmpty()) {
      refuse(routing, BAD_REQUEST, "The parameter to is no address of this console");
      return;
    }
    authenticate(
        routing,
        session -> {
          if (session == null) {
            askIssuer(routing);
          } else {
            redirect(routing, to.get());
          }
        },
        failure -> signInFailed(routing, failure));
  }

  private void authenticate(
      RoutingContext routing,
      Consumer<@Nullable SecurityIdentity> then,
      Consumer<Throwable> orElse) {
    oidc.authenticate(routing, identities)
        .subscribe()
        .with(
            session -> then.accept(session),
            failure -> {
              if (failure instanceof AuthenticationRedirectException elsewhere) {
                redirect(routing, elsewhere.getRedirectUri());
              } else {
                orElse.accept(failure);
              }
            });
  }

  private void askIssuer(RoutingContext routing) {
    oidc.sendChallenge(routing)
        .subscribe()
        .with(
            sent -> {
              if (routing.response().getStatusCode() == UNAUTHORIZED) {
                showError(routing, "expired");
              } else {
                routing.response().end();
              }
            },
            failure -> unreachable(routing, failure));
  }

  /**
   * One that has come back from the issuer is not sent there again, or it would continue for ever.
   */
  private void signInFailed(RoutingContext routing, Throwable failure) {
    boolean isBack = parameter(routing, "state") != null;
    if (failure instanceof AuthenticationFailedException && !isBack) {
      askIssuer(routing);
    } else if (failure instanceof AuthenticationFailedException
        || failure instanceof AuthenticationCompletionException) {
      LOG.warnf("A sign-in to the console failed: %s", rootOf(failure).getMessage());
      showError(routing, "not_accepted");
    } else {
      unreachable(routing, failure);
    }
  }

  private void unreachable(RoutingContext routing, Throwable failure) {
    LOG.warnf(
        "The issuer of quarkus.oidc.auth-server-url is unreachable for a sign-in to the"
            + " console: %s",
        rootOf(failure).getMessage());
    showError(routing, "unreachable");
  }

  private static Throwable rootOf(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  /** A link on another site must not sign anybody out. */
  private void signOut(RoutingContext routing) {
    if ("cross-site".equals(routing.request().getHeader("Sec-Fetch-Site"))) {
      refuse(routing, FORBIDDEN, "A page of another site cannot sign you out");
      return;
    }
    authenticate(routing, session -> forgetSession(routing), failure -> forgetSession(routing));
  }

  /** Where the issuer has no page to sign out at, or the session is over. */
  private void forgetSession(RoutingContext routing) {
    routing.request().cookies().stream()
        .map(Cookie::getName)
        .filter(name -> name.startsWith("q_session"))
        .map(SignInRoutes::expired)
        .toList()
        .forEach(routing.response()::addCookie);
    redirect(routing, settings.view());
  }

  private static Cookie expired(String name) {
    return Cookie.cookie(name, "").setPath("/").setMaxAge(0).setHttpOnly(true).setSecure(true);
  }

  private void showError(RoutingContext routing, String error) {
    redirect(routing, settings.view() + "?error=" + error);
  }

  private static void redirect(RoutingContext routing, String address) {
    HttpServerResponse response = routing.response();
    response.setStatusCode(FOUND).putHeader(HttpHeaders.LOCATION, address).end();
  }

  private static void refuse(RoutingContext routing, int status, String detail) {
    routing
        .response()
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/problem+json")
        .end(
            new JsonObject()
                .put("type", ProblemAddress.of(status).toString())
                .put("title", ProblemAddress.reason(status))
                .put("status", status)
                .put("detail", detail + ".")
                .put("instance", routing.normalizedPath())
                .encode());
  }

  private static @Nullable String parameter(RoutingContext routing, String name) {
    return routing.request().getParam(name);
  }
}
