package io.onceflow.console.internal.signin;

import io.onceflow.console.internal.SignInLinks;
import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkus.oidc.IdTokenCredential;
import io.quarkus.oidc.OIDCException;
import io.quarkus.oidc.runtime.OidcAuthenticationMechanism;
import io.quarkus.security.AuthenticationCompletionException;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.AuthenticationRedirectException;
import io.quarkus.security.ForbiddenException;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.request.AnonymousAuthenticationRequest;
import io.quarkus.security.identity.request.AuthenticationRequest;
import io.quarkus.security.identity.request.TokenAuthenticationRequest;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import io.quarkus.vertx.http.runtime.security.ChallengeData;
import io.quarkus.vertx.http.runtime.security.HttpAuthenticationMechanism;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.Response.Status;
import java.util.Set;

/**
 * Authenticates requests where an issuer is configured: by the bearer token if there is one, else
 * by the session's cookie. quarkus-oidc alone would send every caller without credentials to the
 * issuer's page; here that happens at the sign-in's address only ({@link SignInRoutes}).
 */
@ApplicationScoped
class CookieSessions implements HttpAuthenticationMechanism {

  private static final String RETRY_SECONDS = "10";
  private static final int BEFORE_ALL_OTHERS = 5_000;
  private static final String COOKIE = "q_session";
  private static final String SITE = "Sec-Fetch-Site";
  private static final String CSRF_HEADER = "X-CSRF-Token";
  private static final Set<HttpMethod> SAFE =
      Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);

  private final SignInSettings settings;
  private final OidcAuthenticationMechanism oidc;
  private final OtherMechanisms others;
  private final CsrfTokens csrf;

  CookieSessions(
      SignInSettings settings,
      OidcAuthenticationMechanism oidc,
      OtherMechanisms others,
      CsrfTokens csrf) {
    this.settings = settings;
    this.oidc = oidc;
    this.others = others;
    this.csrf = csrf;
  }

  @Override
  public Uni<SecurityIdentity> authenticate(
      RoutingContext routing, IdentityProviderManager identities) {
    if (!settings.hasIssuer()) {
      return Uni.createFrom().nullItem();
    }
    return byWhatThereIs(routing, identities)
        .onItem()
        .ifNull()
        .switchTo(() -> identities.authenticate(AnonymousAuthenticationRequest.INSTANCE))
        .onItemOrFailure()
        .invoke((identity, failure) -> answersChallenges(routing));
  }

  /** Not the mechanism that it was handed to: that might answer with a redirection. */
  private void answersChallenges(RoutingContext routing) {
    routing.put(HttpAuthenticationMechanism.class.getName(), this);
  }

  /**
   * A client sends a header on purpose, and a browser sends a cookie by itself. Where sessions
   * start and end {@link SignInRoutes} asks the issuer itself: a session that is over must not be
   * refused there, as it would be where Quarkus authenticates each request before it is routed.
   */
  private Uni<SecurityIdentity> byWhatThereIs(
      RoutingContext routing, IdentityProviderManager identities) {
    if (settings.isRoute(routing.normalizedPath())) {
      return Uni.createFrom().nullItem();
    }
    String authorization = routing.request().getHeader(HttpHeaders.AUTHORIZATION);
    if (authorization == null && hasSession(routing)) {
      return askIssuer(routing, identities)
          .onFailure()
          .transform(CookieSessions::asRefusal)
          .onItem()
          .ifNotNull()
          .transform(session -> admit(session, routing));
    }
    String issuer = BearerIssuer.of(authorization);
    return issuer.isEmpty() || settings.isBearerIssuer(issuer)
        ? others.authenticate(routing, identities)
        : askIssuer(routing, identities);
  }

  private Uni<SecurityIdentity> askIssuer(
      RoutingContext routing, IdentityProviderManager identities) {
    return oidc.authenticate(routing, identities)
        .onFailure(OIDCException.class)
        .transform(CookieSessions::asUnavailable);
  }

  /** Nothing is known of the caller then, not even that the session is over. */
  private static Throwable asUnavailable(Throwable failure) {
    return HttpProblem.builder()
        .withTitle("The issuer is unreachable")
        .withStatus(Status.SERVICE_UNAVAILABLE)
        .withDetail("Who you are cannot be verified now. Nothing has changed; try it again.")
        .withHeader(jakarta.ws.rs.core.HttpHeaders.RETRY_AFTER, RETRY_SECONDS)
        .build();
  }

  private static boolean hasSession(RoutingContext routing) {
    return routing.request().cookies().stream()
        .anyMatch(cookie -> cookie.getName().startsWith(COOKIE));
  }

  /** A session that has ended leads to no redirection, which the page could not follow. */
  private static Throwable asRefusal(Throwable failure) {
    boolean isOver =
        failure instanceof AuthenticationCompletionException
            || failure instanceof AuthenticationRedirectException;
    return isOver ? new AuthenticationFailedException("The session is over", failure) : failure;
  }

  private SecurityIdentity admit(SecurityIdentity session, RoutingContext routing) {
    if (!SAFE.contains(routing.request().method())) {
      requireOwnPage(session, routing);
    }
    if (!mayEnter(session) && !routing.normalizedPath().startsWith(settings.console())) {
      throw new ForbiddenException(
          "Your account has neither the role viewer nor the role operator");
    }
    return withoutIdToken(session).addAttribute(SignInLinks.CSRF_TOKEN, csrf.of(session)).build();
  }

  private void requireOwnPage(SecurityIdentity session, RoutingContext routing) {
    if ("cross-site".equals(routing.request().getHeader(SITE))) {
      throw CsrfProblem.because("A page of another site sent this request.");
    }
    if (!csrf.isOf(session, routing.request().getHeader(CSRF_HEADER))) {
      throw CsrfProblem.because(
          "The header X-CSRF-Token is not that of this session. Load the page again.");
    }
  }

  private static boolean mayEnter(SecurityIdentity session) {
    return session.hasRole("viewer") || session.hasRole("operator");
  }

  /** So that the credential which is handed on to other services can only be the access token. */
  private static QuarkusSecurityIdentity.Builder withoutIdToken(SecurityIdentity session) {
    QuarkusSecurityIdentity.Builder builder =
        QuarkusSecurityIdentity.builder()
            .setPrincipal(session.getPrincipal())
            .addRoles(session.getRoles())
            .addAttributes(session.getAttributes())
            .addPermissionChecker(session::checkPermission);
    session.getCredentials().stream()
        .filter(credential -> !(credential instanceof IdTokenCredential))
        .forEach(builder::addCredential);
    return builder;
  }

  @Override
  public Uni<ChallengeData> getChallenge(RoutingContext routing) {
    return settings.hasIssuer()
        ? Uni.createFrom().item(new ChallengeData(401, "WWW-Authenticate", "Bearer"))
        : Uni.createFrom().nullItem();
  }

  @Override
  public Set<Class<? extends AuthenticationRequest>> getCredentialTypes() {
    return Set.of(TokenAuthenticationRequest.class);
  }

  @Override
  public int getPriority() {
    return BEFORE_ALL_OTHERS;
  }
}
